import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { Generator } from "../generator/generator.ts";
import type { Behaviour } from "../provider/behaviour.ts";
import { median } from "../../report/statistics.ts";
import type { ProcessTree } from "../process-tree.ts";
import type { Subject } from "../subjects/subject.ts";
import { attempt } from "./attempt.ts";
import { readAll } from "./events.ts";

const eventsEach = 5;
const sampleEveryMs = 100;
const samplesEach = 5;
/** On a slow machine the first may end before the last is open. */
const openShareMin = 0.9;
/** A smaller fall of resident memory does not count. */
const noiseShare = 0.002;
/** The longest wait until memory settles. */
const settlesWithinMs = 60_000;

export function slowStream(everyMs: number): Behaviour {
  return { kind: "events", count: eventsEach, everyMs };
}

/**
 * Many streams are open at once, with an event now and then, and later as many again. The first figure is the
 * memory that each of the first streams takes in a fresh process, including the first growth of its heap. The
 * second is the memory of each further one. Weir is a fresh process for each mode, because a process that has
 * served other loads already has free memory. The peers are not fresh, so they may need more than the figures say.
 */
export async function openStreams(bench: Bench): Promise<void> {
  // A generator has one task at a time.
  const generators = [bench.generator, new Generator(bench.children)];
  for (const subject of bench.subjects) {
    if (subject.scanThreads.size === 0) await open(bench, subject, generators);
  }
  for (const way of ["ownKeys", "payThrough"] as const) {
    const weir = await bench.startWeir();
    await open(bench, weir[way], generators);
    await weir.stop();
  }
}

async function open(
  bench: Bench,
  subject: Subject,
  generators: readonly Generator[],
): Promise<void> {
  const { openStreams: streams, openStreamsEveryMs, settledMs } = bench.scale;
  const behaviour = slowStream(openStreamsEveryMs);
  const { tree } = subject;
  if (tree === null) return;
  const group = `Memory with ${streams} streams open`;
  await attempt(bench, { load: "open-streams", subject: subject.name, group }, async (note) => {
    // One whole stream, so that code that is loaded late is loaded.
    await readAll(bench, subject, behaviour, 1, eventsEach);
    const restBytes = await settledBytes(tree, settledMs);
    const readings: Promise<unknown>[] = [];
    const measured: { readonly open: number; readonly bytes: number }[] = [];
    try {
      for (const generator of generators) {
        const asked = { ...bench, generator };
        const reading = readAll(asked, subject, behaviour, streams, eventsEach);
        readings.push(reading);
        const over = reading.then(
          () => true,
          () => true,
        );
        measured.push(await whileOpen(bench, tree, streams * readings.length, over));
      }
    } finally {
      await Promise.allSettled(readings);
    }
    await Promise.all(readings);
    const [first, all] = measured;
    if (first === undefined || all === undefined) return;
    const each = (first.bytes - restBytes) / first.open;
    const further = (all.bytes - first.bytes) / (all.open - first.open);
    note("memory", "memory per open stream, from rest", "KB", each / 1_000);
    note("further", "memory of each further stream", "KB", further / 1_000);
  });
}

/** Medians over a period in which nearly `streams` are open. Throws if there is no such period. */
async function whileOpen(
  { provider }: Bench,
  tree: ProcessTree,
  streams: number,
  over: Promise<boolean>,
): Promise<{ readonly open: number; readonly bytes: number }> {
  const opens: number[] = [];
  const bytes: number[] = [];
  while (opens.length < samplesEach) {
    const { open: now } = await provider.counts();
    if (now >= streams * openShareMin) {
      opens.push(now);
      bytes.push(tree.residentBytes());
    }
    if (await Promise.race([over, sleep(sampleEveryMs, false)])) {
      if (opens.length === 0) throw new Error(`never ${streams} streams were open at once`);
      break;
    }
  }
  return { open: median(opens), bytes: median(bytes) };
}

/**
 * The memory that stays resident. Garbage is freed in steps, and a later step would hide the
 * growth.
 */
async function settledBytes(tree: ProcessTree, settledMs: number): Promise<number> {
  const end = performance.now() + settlesWithinMs;
  let leastBytes = tree.residentBytes();
  let leastAt = performance.now();
  while (performance.now() < Math.min(end, leastAt + settledMs)) {
    await sleep(sampleEveryMs);
    const bytes = tree.residentBytes();
    if (bytes > leastBytes * (1 - noiseShare)) continue;
    leastBytes = bytes;
    leastAt = performance.now();
  }
  return tree.residentBytes();
}
