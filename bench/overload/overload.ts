import { join } from "node:path";
import type { Figure } from "../report/figure.ts";
import { canPin, Processes } from "./processes.ts";
import { slowMs, windowMs, type PhaseResult, type WindowCount } from "./phase.ts";

export interface OverloadOptions {
  /** The number of rounds. Figures show their median. Default: three. */
  readonly rounds?: number;
  /** The gateway's entry file. Default: that of this checkout's sources. */
  readonly main?: string;
  readonly progress?: (sentence: string) => void;
}

/** The rate at which the search for the capacity begins, requests per second. */
const firstRate = 500;
const searchFactor = 1.4;
const refineFactor = 1.1;
const rateMin = 50;
/** Other work on the machine may spoil one attempt. */
const attemptsMax = 2;
/** The generator and the provider can't do more on one core. */
const rateMax = 20_000;
const searchSeconds = 2;
const refineSteps = 3;
const warmUpSeconds = 0.5;
/**
 * The duration at capacity, so that its figures have as many requests as those of the overload.
 */
const capacitySeconds = 5;
const overloadFactor = 3;
const overloadSeconds = 6;
const recoverySeconds = 4;
const recoveryShare = 0.8;
/** The most refused requests at capacity, as a share. */
const refusedShareMax = 0.001;

interface Round {
  /** Requests a second. */
  readonly capacity: number;
  readonly atCapacity: PhaseResult;
  readonly overload: PhaseResult;
  readonly grownBytes: number;
  readonly recoveredMs: number;
}

/**
 * Open-loop load on a gateway that has one core for itself: the highest rate at which every request is
 * served and 99 % within 50 ms, then three times that, then 0.8 of it. Takes about 40 s a round.
 */
export async function runOverload(options: OverloadOptions = {}): Promise<readonly Figure[]> {
  const { rounds = 3, progress = () => undefined } = options;
  const main = options.main ?? join(import.meta.dirname, "../../src/main.ts");
  const processes = await Processes.start(main);
  try {
    // Code is compiled during its first runs.
    progress("overload: warming up");
    await processes.run({ requestsPerSecond: firstRate, seconds: 3, warmUpSeconds });
    const measured: Round[] = [];
    let from = firstRate;
    for (let round = 1; round <= rounds; round += 1) {
      const one = await measureRound(processes, from, progress);
      progress(`overload: round ${round}: ${roundText(one)}`);
      measured.push(one);
      from = one.capacity / searchFactor;
    }
    return figures(measured);
  } finally {
    await processes.stop();
  }
}

async function measureRound(
  processes: Processes,
  from: number,
  progress: (sentence: string) => void,
): Promise<Round> {
  const capacity = await findCapacity(processes, from, progress);
  const requestsPerSecond = capacity;
  const atCapacity = await processes.run({
    requestsPerSecond,
    seconds: capacitySeconds,
    warmUpSeconds,
  });
  const before = processes.residentBytes();
  const phase = { requestsPerSecond: capacity * overloadFactor, seconds: overloadSeconds };
  const overload = await processes.run({ ...phase, warmUpSeconds });
  const grownBytes = processes.residentBytes() - before;
  const after = await processes.run({
    requestsPerSecond: capacity * recoveryShare,
    seconds: recoverySeconds,
    warmUpSeconds: 0,
  });
  const recoveredMs = recovered(after.windows);
  return { capacity, atCapacity, overload, grownBytes, recoveredMs };
}

/**
 * Increases the rate by a factor until it is too high, or decreases it if the first rate was too
 * high; then approaches the capacity in small steps.
 */
export async function findCapacity(
  processes: Processes,
  from: number,
  progress: (sentence: string) => void,
): Promise<number> {
  const isServedAt = async (rate: number): Promise<boolean> => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const phase = { requestsPerSecond: rate, seconds: searchSeconds, warmUpSeconds };
      const result = await processes.run(phase);
      progress(`overload: ${Math.round(rate)}/s: ${resultText(result)}`);
      if (isServed(result)) return true;
    }
    return false;
  };
  let rate = from;
  while (!(await isServedAt(rate))) {
    if (rate < rateMin) throw new Error("the gateway does not serve even a few requests in time");
    rate /= searchFactor;
  }
  while (rate * searchFactor <= rateMax && (await isServedAt(rate * searchFactor))) {
    rate *= searchFactor;
  }
  for (let step = 0; step < refineSteps; step += 1) {
    if (!(await isServedAt(rate * refineFactor))) break;
    rate *= refineFactor;
  }
  return rate;
}

function isServed({ due, served, refused, failed }: PhaseResult): boolean {
  return served.p99 <= slowMs && refused.count <= due * refusedShareMax && failed === 0;
}

/** The beginning of the first half second in which nearly all requests are served soon. */
function recovered(windows: readonly WindowCount[]): number {
  const wide = 500 / windowMs;
  const isGood = ({ served, slow, refused }: WindowCount): boolean =>
    slow + refused <= 0.01 * (served + refused);
  const index = windows.findIndex((_, i) => {
    const span = windows.slice(i, i + wide);
    return span.length === wide && span.every(isGood);
  });
  return index < 0 ? windows.length * windowMs : index * windowMs;
}

function figures(rounds: readonly Round[]): readonly Figure[] {
  const note = canPin
    ? "Gateway on one core, generator and provider on another."
    : "Gateway, generator and provider shared all cores.";
  const figure = (
    id: string,
    label: string,
    unit: string,
    better: Figure["better"],
    of: (round: Round) => number,
    more = "",
  ): Figure => ({
    id: `overload/${id}`,
    group: "Overload",
    label,
    subject: "weir",
    unit,
    better,
    rounds: rounds.map(of),
    note: `${note}${more}`,
  });
  return [
    figure("capacity", "capacity: p99 within 50 ms", "requests/s", "higher", ({ capacity }) => {
      return capacity;
    }),
    figure("capacity-p99", "p99 at capacity", "ms", "lower", ({ atCapacity }) => {
      return atCapacity.served.p99;
    }),
    figure("served-p99", "p99 of what is served at 3 × capacity", "ms", "lower", ({ overload }) => {
      return overload.served.p99;
    }),
    figure(
      "served-p99-ratio",
      "that, to p99 at capacity",
      "×",
      "lower",
      ({ atCapacity, overload }) => overload.served.p99 / atCapacity.served.p99,
      " Must be 3 or less.",
    ),
    figure(
      "goodput",
      "served at 3 × capacity, to capacity",
      "×",
      "higher",
      ({ overload }) => (overload.served.count / overload.due) * overloadFactor,
    ),
    figure(
      "refused-p99",
      "p99 of refusals",
      "ms",
      "lower",
      ({ overload }) => overload.refused.p99,
      " Must be under 50. What the generator itself was late is in it.",
    ),
    figure("refused-p50", "median of refusals", "ms", "lower", ({ overload }) => {
      return overload.refused.p50;
    }),
    figure(
      "retry-after",
      "refusals with Retry-After",
      "share",
      "higher",
      ({ overload }) => overload.withRetryAfter / Math.max(1, overload.refused.count),
    ),
    figure("failed", "requests without a proper answer", "requests", "lower", ({ overload }) => {
      return overload.failed;
    }),
    figure("memory", "memory that the overload added", "MB", "lower", ({ grownBytes }) => {
      return grownBytes / 1e6;
    }),
    figure(
      "recovery",
      "until all is served again at 0.8 × capacity",
      "ms",
      "lower",
      ({ recoveredMs }) => recoveredMs,
      " Must be 2,000 or less; in steps of 100.",
    ),
    figure(
      "generator-late",
      "how late the generator was at 3 ×, p99",
      "ms",
      "lower",
      ({ overload }) => overload.lateP99,
    ),
    figure("generator-cpu", "CPU of generator and provider at 3 ×", "cores", "lower", (round) => {
      return round.overload.cpuShare;
    }),
  ];
}

function roundText({ capacity, atCapacity, overload, grownBytes, recoveredMs }: Round): string {
  return (
    `capacity ${Math.round(capacity)}/s (${resultText(atCapacity)}), ` +
    `at 3 × ${resultText(overload)}, ${(grownBytes / 1e6).toFixed(0)} MB more, ` +
    `recovered in ${recoveredMs} ms`
  );
}

function resultText({ served, refused, failed, lateP99 }: PhaseResult): string {
  const ms = (value: number): string => value.toFixed(1);
  return (
    `${served.count} served, p50 ${ms(served.p50)} p99 ${ms(served.p99)} ms; ` +
    `${refused.count} refused, p50 ${ms(refused.p50)} p99 ${ms(refused.p99)} ms; ` +
    `${failed} failed; generator late ${ms(lateP99)} ms`
  );
}
