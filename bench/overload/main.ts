import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { median } from "../report/statistics.ts";
import { runOverload } from "./overload.ts";

/** `npm run bench:overload -- --rounds 3`: two minutes of open-loop load; see `runOverload`. */
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, main: { type: "string" } },
});

const [load = 0] = loadavg();
console.log(
  `${availableParallelism()} × ${cpus()[0]?.model ?? ""}, load ${load.toFixed(1)} before`,
);
const figures = await runOverload({
  rounds: Number(values.rounds),
  ...(values.main === undefined ? {} : { main: values.main }),
  progress: (sentence) => console.log(sentence),
});
for (const { label, unit, rounds, note = "" } of figures) {
  const each = rounds.map(short).join(", ");
  console.log(`${label}: ${short(median(rounds))} ${unit} (${each}). ${note}`);
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
