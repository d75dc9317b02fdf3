import { setTimeout as sleep } from "node:timers/promises";
import { inOrder, measured, type Bench } from "../bench.ts";
import { streamingChat } from "../bodies.ts";
import type { StreamsResult } from "../generator/event-streams.ts";
import type { Ran } from "../generator/generator.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";

const everyMs = 10;

export function pacedBehaviour(eventsEach: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs };
}

export function burstBehaviour(eventsEach: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs: 0 };
}

/**
 * A hundred streams of a hundred events a second each, and fewer streams as fast as they are read. Each
 * stream must bring all of its events and its end.
 */
export async function events(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const subject of inOrder(bench.subjects, round)) await paced(bench, subject);
    for (const subject of inOrder(bench.subjects, round)) await burst(bench, subject);
  }
}

/** The CPU is taken while all streams flow, so that their requests are not in it. */
async function paced(bench: Bench, subject: Subject): Promise<void> {
  const { pacedStreams, pacedEvents } = bench.scale;
  const behaviour = pacedBehaviour(pacedEvents);
  const durationMs = pacedEvents * everyMs;
  await attempt(bench, "paced", subject, async () => {
    const reading = read(bench, subject, behaviour, pacedStreams, pacedEvents);
    // Handled below; without this a failure during the measurement would end the process.
    reading.catch(() => {});
    await sleep(durationMs * 0.25);
    const run = await measured(bench, subject, () => sleep(durationMs * 0.5), 0);
    const { value, cpuMs, wallMs } = await reading;
    checkStreams(value);
    const add = adder(
      bench,
      subject,
      "paced",
      `${pacedStreams} streams × ${1_000 / everyMs} events/s`,
    );
    if (run.cpuMs !== null) add("cpu", "CPU per event", "µs", (run.cpuMs / run.events) * 1_000);
    add("alone", "events delivered one by one", "share", value.alone / value.events, "higher");
    add("p50", "delay of an event, p50", "ms", value.delayP50Ms);
    add("p99", "delay of an event, p99", "ms", value.delayP99Ms);
    add("generator", "load generator's CPU", "cores", cpuMs / wallMs);
    add("provider", "provider's CPU", "cores", run.providerShare);
  });
}

async function burst(bench: Bench, subject: Subject): Promise<void> {
  const { burstStreams, burstEvents } = bench.scale;
  const behaviour = burstBehaviour(burstEvents);
  await attempt(bench, "burst", subject, async () => {
    const run = await measured(bench, subject, () =>
      read(bench, subject, behaviour, burstStreams, burstEvents),
    );
    const { value, cpuMs, wallMs } = run.value;
    checkStreams(value);
    const add = adder(bench, subject, "burst", `${burstStreams} streams as fast as they are read`);
    if (run.cpuMs !== null) add("cpu", "CPU per event", "µs", (run.cpuMs / value.events) * 1_000);
    add("rate", "events per second", "/s", value.events / (wallMs / 1_000), "higher");
    add("generator", "load generator's CPU", "cores", cpuMs / wallMs);
    add("provider", "provider's CPU", "cores", run.providerShare);
  });
}

function read(
  { generator }: Bench,
  subject: Subject,
  behaviour: Behaviour,
  streams: number,
  eventsEach: number,
): Promise<Ran<StreamsResult>> {
  const body = streamingChat(subject.model(behaviour), eventsEach);
  return generator.run("readStreams", subject.target(behaviour), body, streams, eventsEach);
}

function checkStreams({ whole, failed, firstFailure }: StreamsResult): void {
  if (failed > 0) throw new Error(`${failed} of ${whole + failed} streams: ${firstFailure}`);
}

/** Notes a failure as such; what has failed once is not tried again. */
async function attempt(
  { book }: Bench,
  load: string,
  { name }: Subject,
  run: () => Promise<void>,
): Promise<void> {
  if (book.hasFailed(load, name)) return;
  try {
    await run();
  } catch (error) {
    book.fail(load, name, error instanceof Error ? error.message : String(error));
  }
}

function adder({ book }: Bench, { name }: Subject, load: string, heading: string) {
  return (
    what: string,
    label: string,
    unit: string,
    value: number,
    better: "lower" | "higher" = "lower",
  ): void => {
    const id = `macro/${load}/${what}/${name}`;
    book.add({ id, group: `Events: ${heading}`, label, subject: name, unit, better }, value);
  };
}
