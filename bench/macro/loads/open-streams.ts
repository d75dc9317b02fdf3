import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import { median } from "../../report/statistics.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { readAll } from "./events.ts";

const eventsEach = 5;
const sampleEveryMs = 100;
/** On a slow machine the first may end before the last is open. */
const openShareMin = 0.9;

export function slowStream(everyMs: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs };
}

/**
 * So many streams open at once, an event now and then each: what each takes of the subject's memory. Weir
 * is a fresh process for each way, for one that has served other loads would take it out of what it has;
 * what the peers need may be more than is told.
 */
export async function openStreams(bench: Bench): Promise<void> {
  for (const subject of bench.subjects) {
    if (subject.scanThreads.size === 0) await open(bench, subject);
  }
  for (const way of ["ownKeys", "payThrough"] as const) {
    const weir = await bench.startWeir();
    await open(bench, weir[way]);
    await weir.stop();
  }
}

async function open(bench: Bench, subject: Subject): Promise<void> {
  const { openStreams: streams, openStreamsEveryMs } = bench.scale;
  const behaviour = slowStream(openStreamsEveryMs);
  const { tree } = subject;
  if (tree === null) return;
  const group = `Memory with ${streams} streams open`;
  await attempt(bench, { load: "open-streams", subject: subject.name, group }, async (note) => {
    // One stream from begin to end, so that what is loaded late is loaded.
    await readAll(bench, subject, behaviour, 1, eventsEach);
    const beforeBytes = tree.residentBytes();
    const reading = readAll(bench, subject, behaviour, streams, eventsEach);
    let over = false;
    reading.then(
      () => (over = true),
      () => (over = true),
    );
    const samples: number[] = [];
    while (!over) {
      const { open: now } = await bench.provider.counts();
      if (now >= streams * openShareMin) samples.push((tree.residentBytes() - beforeBytes) / now);
      await sleep(sampleEveryMs);
    }
    await reading;
    if (samples.length === 0) throw new Error(`never ${streams} streams were open at once`);
    note("memory", "memory per open stream", "KB", median(samples) / 1_000);
  });
}
