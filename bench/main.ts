/**
 * The whole bench and its one report: `npm run bench`. The micro part measures the parts of the
 * gateway, the macro part the whole process beside its peers. `--help` lists the options.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { macroGoals } from "./macro/goals.ts";
import { runMacro } from "./macro/main.ts";
import { microGoals } from "./micro/goals.ts";
import { runMicro } from "./micro/main.ts";
import { compare } from "./report/compare.ts";
import type { Figure, Goal } from "./report/figure.ts";
import { judged } from "./report/judged-goal.ts";
import { thisMachine } from "./report/machine.ts";
import { pageOf } from "./report/page.ts";
import { readReport, type Report } from "./report/report.ts";
import { noFigure, type RunOptions } from "./report/run-options.ts";
import { terminalText } from "./report/terminal.ts";

const help = `npm run bench -- [options]

  --micro            the parts of the gateway alone, about a minute and a half
  --macro            the whole process beside its peers alone
  --quick            fewer and shorter rounds: to see that everything runs
  --only ID          figures whose ids begin so; may stand several times
  --compare FILE     marks what changed since the run that wrote this JSON file
  --help

Writes bench/reports/TIME.json and TIME.html.`;

const { values } = parseArgs({
  options: {
    micro: { type: "boolean", default: false },
    macro: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    compare: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

interface Part {
  readonly name: "micro" | "macro";
  readonly run: (options: RunOptions) => Promise<readonly Figure[]>;
  readonly goals: readonly Goal[];
}
const parts: readonly Part[] = [
  { name: "micro", run: runMicro, goals: microGoals },
  { name: "macro", run: runMacro, goals: macroGoals },
];

async function bench(): Promise<void> {
  // This is read before the minutes of measuring, because the file may be missing.
  const earlier = values.compare === undefined ? null : readReport(values.compare);
  const startedAt = new Date();
  const machine = thisMachine();
  const chosen = parts.filter(({ name }) => values[name] || (!values.micro && !values.macro));
  const options: RunOptions = { quick: values.quick, only: values.only, progress };
  const figures: Figure[] = [];
  for (const { run } of chosen) figures.push(...(await run(options)));
  if (figures.length === 0) {
    console.error(noFigure);
    process.exitCode = 1;
    return;
  }

  const measured: Report = {
    version: 1,
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    quick: values.quick,
    machine,
    goals: judged(
      chosen.flatMap(({ goals }) => goals),
      figures,
    ),
    figures,
  };
  const comparison = earlier === null ? null : compare(earlier.figures, figures);
  console.log(`\n${terminalText(measured, comparison)}\n`);
  if (values.quick || earlier?.quick) console.log("A quick run is too short to be compared.");

  const folder = join(import.meta.dirname, "reports");
  const file = join(folder, measured.startedAt.slice(0, 19).replaceAll(":", "-"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.json`, `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(`${file}.html`, pageOf(measured, comparison));
  console.log(`${relative(process.cwd(), file)}.json and .html`);
}

function progress(what: string): void {
  process.stderr.write(`${what}\n`);
}

if (values.help) console.log(help);
else await bench();
