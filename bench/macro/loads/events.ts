import { setTimeout as sleep } from "node:timers/promises";
import { inOrder, measured, type Bench } from "../bench.ts";
import { streamingChat } from "../bodies.ts";
import type { StreamsResult } from "../generator/event-streams.ts";
import type { Ran } from "../generator/generator.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";

const everyMs = 10;

export function pacedBehaviour(eventsEach: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs };
}

export function burstBehaviour(eventsEach: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs: 0 };
}

/** A hundred streams of a hundred events a second each; every stream must bring all of its events. */
export async function paced(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const subject of inOrder(bench.subjects, round)) await pacedBy(bench, subject);
  }
}

/** CPU time is measured while all streams flow, so it does not include their requests. */
async function pacedBy(bench: Bench, subject: Subject): Promise<void> {
  const { pacedStreams, pacedEvents } = bench.scale;
  const behaviour = pacedBehaviour(pacedEvents);
  const durationMs = pacedEvents * everyMs;
  const group = `Events: ${pacedStreams} streams × ${1_000 / everyMs} events/s`;
  await attempt(bench, { load: "paced", subject: subject.name, group }, async (note) => {
    const reading = readAll(bench, subject, behaviour, pacedStreams, pacedEvents);
    // Awaited below; without this a failure during the measurement would end the process.
    reading.catch(() => {});
    await sleep(durationMs * 0.25);
    const run = await measured(bench, subject, () => sleep(durationMs * 0.5), 0);
    const { value, cpuMs, wallMs } = await reading;
    if (run.cpuMs !== null) note("cpu", "CPU per event", "µs", (run.cpuMs / run.events) * 1_000);
    note("alone", "events delivered one by one", "share", value.alone / value.events, "higher");
    note("p50", "delay of an event, p50", "ms", value.delayP50Ms);
    note("p99", "delay of an event, p99", "ms", value.delayP99Ms);
    note("generator", "load generator's CPU", "cores", cpuMs / wallMs);
    note("provider", "provider's CPU", "cores", run.providerShare);
  });
}

/** Fewer streams, which are sent as fast as they are read. */
export async function burst(bench: Bench): Promise<void> {
  for (let round = 0; round < bench.scale.rounds; round += 1) {
    for (const subject of inOrder(bench.subjects, round)) await burstBy(bench, subject);
  }
}

async function burstBy(bench: Bench, subject: Subject): Promise<void> {
  const { burstStreams, burstEvents } = bench.scale;
  const group = `Events: ${burstStreams} streams as fast as they are read`;
  await attempt(bench, { load: "burst", subject: subject.name, group }, async (note) => {
    const run = await measured(bench, subject, () =>
      readAll(bench, subject, burstBehaviour(burstEvents), burstStreams, burstEvents),
    );
    const { value, cpuMs, wallMs } = run.value;
    if (run.cpuMs !== null) note("cpu", "CPU per event", "µs", (run.cpuMs / value.events) * 1_000);
    note("rate", "events per second", "/s", value.events / (wallMs / 1_000), "higher");
    note("generator", "load generator's CPU", "cores", cpuMs / wallMs);
    note("provider", "provider's CPU", "cores", run.providerShare);
  });
}

/** Throws if a stream did not bring all of its events and its end. */
export async function readAll(
  { generator }: Bench,
  subject: Subject,
  behaviour: Behaviour,
  streams: number,
  eventsEach: number,
): Promise<Ran<StreamsResult>> {
  const body = streamingChat(subject.model(behaviour), eventsEach);
  const ran = await generator.run(
    "readStreams",
    subject.target(behaviour),
    body,
    streams,
    eventsEach,
  );
  const { failed, firstFailure } = ran.value;
  if (failed > 0) throw new Error(`${failed} of ${streams} streams: ${firstFailure}`);
  return ran;
}
