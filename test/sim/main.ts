import { parseArgs } from "node:util";
import { simulateCluster } from "./cluster/cluster-simulation.ts";
import { simulate } from "./simulation.ts";

/**
 * `npm run sim -- --seeds 10000`, `--first 17` to begin elsewhere, `--seed 17` for one of them with its last steps.
 * `--gateways 3`: so many that share a store; `--gateways any`: each seed decides, 2 to 4. Ends with 1 at the first seed
 * that breaks something.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    first: { type: "string", default: "1" },
    seed: { type: "string" },
    gateways: { type: "string" },
  },
});
const { gateways } = values;
const play = (seed: number): Promise<Result> => {
  if (gateways === undefined) return simulate(seed);
  return simulateCluster(seed, gateways === "any" ? null : Number(gateways));
};
const first = Number(values.seed ?? values.first);
const seeds = values.seed === undefined ? Number(values.seeds) : 1;
const begunMs = performance.now();
const counts: Record<string, number> = {};

for (let seed = first; seed < first + seeds; seed += 1) {
  const result = await play(seed);
  for (const [what, count] of Object.entries(result.counts)) {
    counts[what] = (counts[what] ?? 0) + count;
  }
  if (values.seed !== undefined || result.violations.length > 0) show(result);
  if (result.violations.length > 0) process.exit(1);
  if (seed % 1_000 === 0) console.log(`${seed} seeds`);
}
const seconds = (performance.now() - begunMs) / 1_000;
console.log(`${seeds} seeds in ${seconds.toFixed(1)} s`, counts);

interface Result {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

function show({ seed, violations, trace }: Result): void {
  console.log([`seed ${seed}`, ...trace, ...violations].join("\n"));
}
