import { Bench } from "tinybench";
import type { Piece, Times } from "./suite.ts";

/** A clock that counts microseconds measures a sample of this length well. */
const sampleMsMin = 0.25;

/** Milliseconds since any fixed time. */
type Clock = () => number;

/**
 * The CPU time of the process, so that other work on the machine does not make a piece look slow.
 * `process.threadCpuUsage` counts in ticks of milliseconds on Linux.
 */
const cpuClock: Clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const wallClock: Clock = () => performance.now();

interface Told extends Pick<Piece, "label" | "subject" | "note"> {
  /** The number of counted things in one run. */
  readonly per?: number;
}

/** The CPU time of one run, or of one of its `per` things. */
export function time(id: string, { per = 1, ...told }: Told, run: () => unknown): Piece {
  const measure = async (times: Times): Promise<number> =>
    ((await medianMs(run, times, cpuClock)) * 1000) / per;
  return { id, ...told, unit: "µs", better: "lower", measure };
}

/** The elapsed time of a run. */
export function answerTime(id: string, told: Omit<Told, "per">, run: () => Promise<void>): Piece {
  const measure = async (times: Times): Promise<number> =>
    (await medianMs(run, times, wallClock)) * 1000;
  return { id, ...told, unit: "µs by the clock", better: "lower", measure };
}

/** The number of bytes per second of CPU time, for a run over this many bytes. */
export function speed(
  id: string,
  bytes: number,
  told: Omit<Told, "per">,
  run: () => unknown,
): Piece {
  const measure = async (times: Times): Promise<number> =>
    bytes / 1000 / (await medianMs(run, times, cpuClock));
  return { id, ...told, unit: "MB/s", better: "higher", measure };
}

/**
 * The CPU time of one of the things in a run, over all threads and all runs, including garbage
 * collection. It is for work that leaves the thread.
 */
export function cpuTime(id: string, told: Told, run: () => Promise<void>): Piece {
  return meanPiece(id, told, run, (since) => process.cpuUsage(since));
}

/** As `cpuTime`, but only for this thread. The work of other threads does not count. */
export function threadTime(id: string, told: Told, run: () => Promise<void>): Piece {
  return meanPiece(id, told, run, (since) => process.threadCpuUsage(since));
}

function meanPiece(
  id: string,
  { per = 1, ...told }: Told,
  run: () => Promise<void>,
  usage: (since?: NodeJS.CpuUsage) => NodeJS.CpuUsage,
): Piece {
  const measure = async ({ warmupMs, measuredMs }: Times): Promise<number> => {
    await runsFor(warmupMs, run);
    const before = usage();
    const runs = await runsFor(measuredMs, run);
    const { user, system } = usage(before);
    return (user + system) / (runs * per);
  };
  return { id, ...told, unit: "µs", better: "lower", measure };
}

/** For a piece that takes long by itself: one run warms it up, and three are measured. */
export function once(piece: Piece): Piece {
  return { ...piece, measure: () => piece.measure({ warmupMs: 0, measuredMs: 0 }) };
}

async function runsFor(ms: number, run: () => Promise<void>): Promise<number> {
  let runs = 0;
  for (const end = performance.now() + ms; performance.now() < end || runs === 0; runs++)
    await run();
  return runs;
}

/**
 * The median of many samples, so that garbage collection and other interruptions do not count. A
 * sample has as many runs as the clock needs.
 */
async function medianMs(
  run: () => unknown,
  { warmupMs, measuredMs }: Times,
  clock: Clock,
): Promise<number> {
  const isAsync = run() instanceof Promise;
  const runs = await runsPerSample(run, isAsync, warmupMs, clock);
  const sample = isAsync
    ? async () => {
        for (let i = 0; i < runs; i++) await run();
      }
    : () => {
        for (let i = 0; i < runs; i++) run();
      };
  const options = { time: measuredMs, iterations: 3, warmup: false, throws: true, now: clock };
  const bench = new Bench(options);
  bench.add("sample", sample, { async: isAsync });
  await bench.run();
  const result = bench.tasks[0]?.result;
  if (result?.state !== "completed") throw new Error("the samples were not taken");
  return result.latency.p50 / runs;
}

/** Warms up, and doubles the runs until a sample is long enough. */
async function runsPerSample(
  run: () => unknown,
  isAsync: boolean,
  warmupMs: number,
  clock: Clock,
): Promise<number> {
  const end = clock() + warmupMs;
  let runs = 1;
  for (;;) {
    const from = clock();
    for (let i = 0; i < runs; i++) {
      const pending = run();
      if (isAsync) await pending;
    }
    const now = clock();
    if (now - from < sampleMsMin) runs *= 2;
    else if (now >= end) return runs;
  }
}
