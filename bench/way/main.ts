// `npm run bench:way [-- --program OLD/dist/main.js] [-- --budget]`: the cost of one request for the thread
// that serves it, in counts (about a minute). With `--budget` it fails if a count is above its budget in
// `budget.ts`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { excesses } from "./budget.ts";
import { countWays } from "./count.ts";
import type { Way } from "./way.ts";

const { values } = parseArgs({
  options: { program: { type: "string" }, budget: { type: "boolean", default: false } },
});
const program = values.program ?? join(import.meta.dirname, "../../dist/main.js");

function shown({ own, packages, promises, ticks, heapBytes }: Way) {
  return {
    "own files": own.files,
    "own functions": own.functions,
    "own calls": own.calls,
    "package files": packages.files,
    "package functions": packages.functions,
    "package calls": packages.calls,
    promises: promises.toFixed(1),
    ticks: ticks.toFixed(1),
    "heap, KB": (heapBytes / 1_024).toFixed(1),
  };
}

const ways = await countWays(program);
console.table(Object.fromEntries([...ways].map(([name, way]) => [name, shown(way)])));
if (values.budget) {
  const over = excesses(ways);
  for (const line of over) console.error(line);
  process.exitCode = over.length > 0 ? 1 : 0;
}
