import { Bench } from "tinybench";
import type { Piece, Times } from "./suite.ts";

/** A sample this long is told well by the clock. */
const sampleMsMin = 0.05;

interface Told extends Pick<Piece, "label" | "subject" | "note"> {
  /** How many of what is counted one run does. */
  readonly per?: number;
}

/** The time of one run, or of one of the `per` things that it does. */
export function time(id: string, { per = 1, ...told }: Told, run: () => unknown): Piece {
  const measure = async (times: Times): Promise<number> =>
    ((await medianMs(run, times)) * 1000) / per;
  return { id, ...told, unit: "µs", better: "lower", measure };
}

/** How fast a run that goes through so many bytes is. */
export function speed(
  id: string,
  bytes: number,
  told: Omit<Told, "per">,
  run: () => unknown,
): Piece {
  const measure = async (times: Times): Promise<number> =>
    bytes / 1000 / (await medianMs(run, times));
  return { id, ...told, unit: "MB/s", better: "higher", measure };
}

/**
 * The processor's time, of all threads, of one of the things that a run does. For what leaves the
 * thread, where the clock tells of waiting too.
 */
export function cpuTime(id: string, told: Told, run: () => Promise<void>): Piece {
  return cpuPiece(id, told, run, (since) => process.cpuUsage(since));
}

/** As `cpuTime`, of this thread alone: what is left to do for others is theirs. */
export function threadTime(id: string, told: Told, run: () => Promise<void>): Piece {
  return cpuPiece(id, told, run, (since) => process.threadCpuUsage(since));
}

type CpuClock = (since?: NodeJS.CpuUsage) => NodeJS.CpuUsage;

function cpuPiece(
  id: string,
  { per = 1, ...told }: Told,
  run: () => Promise<void>,
  clock: CpuClock,
): Piece {
  const measure = async ({ warmupMs, measuredMs }: Times): Promise<number> => {
    await runsFor(warmupMs, run);
    const before = clock();
    const runs = await runsFor(measuredMs, run);
    const { user, system } = clock(before);
    return (user + system) / (runs * per);
  };
  return { id, ...told, unit: "µs of CPU", better: "lower", measure };
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
 * Of many samples, so that what interrupts the thread (other processes, the collection of garbage)
 * stands outside. A sample is as many runs as the clock needs.
 */
async function medianMs(run: () => unknown, { warmupMs, measuredMs }: Times): Promise<number> {
  const isAsync = run() instanceof Promise;
  const runs = await runsPerSample(run, isAsync, warmupMs);
  const sample = isAsync
    ? async () => {
        for (let i = 0; i < runs; i++) await run();
      }
    : () => {
        for (let i = 0; i < runs; i++) run();
      };
  const bench = new Bench({ time: measuredMs, iterations: 3, warmup: false, throws: true });
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
): Promise<number> {
  const end = performance.now() + warmupMs;
  let runs = 1;
  for (;;) {
    const from = performance.now();
    for (let i = 0; i < runs; i++) {
      const pending = run();
      if (isAsync) await pending;
    }
    const now = performance.now();
    if (now - from < sampleMsMin) runs *= 2;
    else if (now >= end) return runs;
  }
}
