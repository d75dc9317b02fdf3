import { parseArgs } from "node:util";
import { simulate, type SimulationResult } from "./simulation.ts";

/**
 * `npm run sim -- --seeds 10000`, `--first 17` to begin elsewhere, `--seed 17` for one of them with
 * its last steps. Ends with 1 at the first seed that breaks the books.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10000" },
    first: { type: "string", default: "1" },
    seed: { type: "string" },
  },
});
const first = Number(values.seed ?? values.first);
const seeds = values.seed === undefined ? Number(values.seeds) : 1;
const begunMs = performance.now();
const counts: Record<string, number> = {};

for (let seed = first; seed < first + seeds; seed += 1) {
  const result = await simulate(seed);
  for (const [what, count] of Object.entries(result.counts)) {
    counts[what] = (counts[what] ?? 0) + count;
  }
  if (values.seed !== undefined || result.violations.length > 0) show(result);
  if (result.violations.length > 0) process.exit(1);
  if (seed % 1_000 === 0) console.log(`${seed} seeds`);
}
const seconds = (performance.now() - begunMs) / 1_000;
console.log(`${seeds} seeds in ${seconds.toFixed(1)} s`, counts);

function show({ seed, violations, trace }: SimulationResult): void {
  console.log([`seed ${seed}`, ...trace, ...violations].join("\n"));
}
