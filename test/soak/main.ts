import { parseArgs } from "node:util";
import { turnMsMax, type Turn, type TurnsView } from "../../bench/turns/turns.ts";
import { mb, soak, type SoakReport } from "./soak.ts";
import type { Slope } from "./theil-sen.ts";

/**
 * `npm run soak -- --minutes 30 --seed 1 --rate 60 --threads 2`: exits with 1 where a criterion is not
 * met.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    rate: { type: "string", default: "60" },
    threads: { type: "string" },
  },
});

/** The 95 % interval of the slope must lie below it. */
const bytesPerTenMinutesMax = 1e6;

const minutes = Number(values.minutes);
let told = 0;
const report = await soak({
  minutes,
  seed: Number(values.seed),
  requestsPerSecond: Number(values.rate),
  ...(values.threads === undefined ? {} : { threads: Number(values.threads) }),
  progress: (sentence) => {
    if (told++ % 15 === 0) console.log(sentence);
  },
});
const failures = print(report);
process.exitCode = failures.length === 0 ? 0 : 1;

function print({ witness, books, ...found }: SoakReport): readonly string[] {
  console.log(`${witness.requests} requests, seed ${values.seed}; ${witness.left} clients left,`);
  console.log(`${witness.shed} were refused as too many; ${found.rotations} keys rotated.`);
  console.log(Object.fromEntries([...witness.counts].sort()));
  console.log(
    `${books.debits} debits of ${books.debitedMicroUsd} micro-dollars; providers charged ${books.chargedMicroUsd}.`,
  );
  console.log("at rest before:", found.before);
  console.log("at rest after: ", found.after);
  console.log(
    `memory of its own: ${slopeText(found.anonymousSlope)}, peak ${mb(found.anonymousPeakBytes)} MB`,
  );
  console.log(`resident, with the store's pages: ${slopeText(found.residentSlope)}`);
  if (found.turns !== null) console.log(turnsText(found.turns));
  const upper = found.anonymousSlope?.upper ?? null;
  const failures = [
    ...witness.faults,
    ...books.faults,
    ...found.unsettled,
    ...(found.exitCode === 0 ? [] : [`it exited with ${found.exitCode}`]),
    ...(found.after !== null && found.before !== null && found.after.threads > found.before.threads
      ? [`${found.after.threads} threads, ${found.before.threads} before`]
      : []),
    ...(upper !== null && minutes >= 10 && upper * 10 >= bytesPerTenMinutesMax
      ? ["memory grows by 1 MB or more in ten minutes"]
      : []),
  ];
  console.log(failures.length === 0 ? "All criteria are met." : failures.join("\n"));
  return failures;
}

function turnsText({ turns, over, longestByCpu, longestByActive }: TurnsView): string {
  const shown = ({ cpuMs, activeMs }: Turn): string =>
    `${cpuMs.toFixed(1)} ms of CPU time in ${activeMs.toFixed(1)} ms`;
  return (
    `longest turn of the loop: ${shown(longestByCpu)}; by the clock: ${shown(longestByActive)}; ` +
    `${over} of ${turns} turns took over ${turnMsMax} ms of CPU time`
  );
}

function slopeText(slope: Slope | null): string {
  if (slope === null) return "the run was too short for a slope";
  const ten = (bytesPerMinute: number): string => mb(bytesPerMinute * 10);
  return `${ten(slope.slope)} MB in ten minutes (95 %: ${ten(slope.lower)} to ${ten(slope.upper)})`;
}
