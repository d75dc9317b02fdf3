import { Bench } from "tinybench";
import type { Piece, Times } from "./suite.ts";

/** A sample this long is told well by a clock that counts microseconds. */
const sampleMsMin = 0.25;

/** Milliseconds since some time. */
type Clock = () => number;

/**
 * What the process had of the processor, so that a machine which does other things too does not make
 * a piece look slow. `process.threadCpuUsage` counts in ticks of milliseconds on Linux.
 */
const cpuClock: Clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const wallClock: Clock = () => performance.now();

interface Told extends Pick<Piece, "label" | "subject" | "note"> {
  /** How many of what is counted one run does. */
  readonly per?: number;
}

/** The processor's time of one run, or of one of the `per` things that it does. */
export function time(id: string, { per = 1, ...told }: Told, run: () => unknown): Piece {
  const measure = async (times: Times): Promise<number> =>
    ((await medianMs(run, times, cpuClock)) * 1000) / per;
  return { id, ...told, unit: "µs", better: "lower", measure };
}

/** How long one waits for a run, by the clock on the wall. */
export function answerTime(id: string, told: Omit<Told, "per">, run: () => Promise<void>): Piece {
  const measure = async (times: Times): Promise<number> =>
    (await medianMs(run, times, wallClock)) * 1000;
  return { id, ...told, unit: "µs by the clock", better: "lower", measure };
}

/** How many bytes a second of the processor a run gets through, of so many. */
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
 * The processor's time of one of the things that a run does, all threads and all runs together, the
 * collection of garbage too. For what leaves the thread.
 */
export function cpuTime(id: string, told: Told, run: () => Promise<void>): Piece {
  return meanPiece(id, told, run, (since) => process.cpuUsage(since));
}

/** As `cpuTime`, of this thread alone: what is left to others is not counted. */
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
 * Of many samples, so that the collection of garbage and other interruptions stand outside. A sample
 * is as many runs as the clock needs.
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
