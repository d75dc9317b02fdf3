import { styleText } from "node:util";
import type { Change, Comparison } from "./compare.ts";
import type { Figure } from "./figure.ts";
import type { JudgedGoal, Reached } from "./judged-goal.ts";
import type { Machine } from "./machine.ts";
import type { Report } from "./report.ts";
import { median, spread } from "./statistics.ts";
import { numberText, percentText, tablesOf, type Table } from "./table.ts";

/** The report as text for a terminal. `paint` adds colour if the terminal supports it. */
export function terminalText(
  report: Report,
  comparison: Comparison | null,
  paint: Paint = styled,
): string {
  const parts = [
    machineLine(report.machine),
    ...tablesOf(report.figures).map((table) => tableText(table, paint)),
    report.goals.length === 0 ? "" : goalsText(report.goals, paint),
    comparison === null ? "" : comparisonText(comparison, paint),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export type Paint = (colour: "bold" | "dim" | "green" | "red" | "yellow", text: string) => string;

const styled: Paint = (colour, text) => styleText(colour, text);

function machineLine(machine: Machine): string {
  const { cores, processor, memoryMegabytes, kernel, node, commit, loadAverage } = machine;
  const gigabytes = (memoryMegabytes / 1024).toFixed(1);
  const code = commit === null ? "" : `, commit ${commit}`;
  return `${cores} × ${processor}, ${gigabytes} GB, ${kernel}, Node ${node}${code}, load ${loadAverage.toFixed(2)} at the start`;
}

function tableText({ group, subjects, rows }: Table, paint: Paint): string {
  const labelWidth = Math.max(...rows.map(({ label }) => label.length));
  const cells = rows.map(({ figures }) =>
    subjects.map((subject) => {
      const figure = figures.find((one) => one.subject === subject);
      return figure === undefined ? "" : valueText(figure);
    }),
  );
  const widths = subjects.map((subject, column) =>
    Math.max(subject.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const padded = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("   ");
  const head = subjects.length === 1 ? "" : `${" ".repeat(labelWidth + 2)}  ${padded(subjects)}\n`;
  const lines = rows.map(
    ({ label, unit }, index) =>
      `  ${label.padEnd(labelWidth)}  ${padded(cells[index] ?? [])}  ${paint("dim", unit)}`,
  );
  return `${paint("bold", group)}\n${paint("dim", head)}${lines.join("\n")}`;
}

/** The median, and the spread of the rounds if there are several. */
function valueText({ rounds }: Figure): string {
  const middle = numberText(median(rounds));
  return rounds.length === 1 ? middle : `${middle} ± ${percentText(spread(rounds)).padStart(6)}`;
}

const marks: Readonly<Record<Reached, readonly [Parameters<Paint>[0], string]>> = {
  aim: ["green", "aim reached"],
  must: ["green", "reached"],
  no: ["red", "not reached"],
  "not measured": ["dim", "not measured"],
};

function goalsText(goals: readonly JudgedGoal[], paint: Paint): string {
  const labelWidth = Math.max(...goals.map(({ label }) => label.length));
  const lines = goals.map(({ label, value, mustReach, aim, better, unit, reached }) => {
    const sign = better === "lower" ? "≤" : "≥";
    const bounds = `${sign} ${numberText(mustReach)}${aim === null ? "" : ` (aim ${numberText(aim)})`}`;
    const [colour, mark] = marks[reached];
    const shown = (value === null ? "–" : numberText(value)).padStart(8);
    return `  ${label.padEnd(labelWidth)}  ${shown}  ${bounds.padEnd(20)} ${unit.padEnd(10)} ${paint(colour, mark)}`;
  });
  return `${paint("bold", "Goals")}\n${lines.join("\n")}`;
}

function comparisonText({ changes, added, removed }: Comparison, paint: Paint): string {
  const changed = changes.filter(({ verdict }) => verdict !== "same");
  const lines = changed.map((change) => changeText(change, paint));
  const counts = [
    `${changes.length - changed.length} figures unchanged`,
    added.length === 0 ? "" : `${added.length} only in this run`,
    removed.length === 0 ? "" : `${removed.length} only in the earlier one`,
  ];
  lines.push(`  ${counts.filter((count) => count !== "").join(", ")}`);
  return `${paint("bold", "Changed since the earlier run")}\n${lines.join("\n")}`;
}

function changeText({ figure, before, shift, verdict }: Change, paint: Paint): string {
  const colour = verdict.startsWith("perhaps") ? "yellow" : verdict === "better" ? "green" : "red";
  const values = `${numberText(median(before.rounds))} → ${numberText(median(figure.rounds))}`;
  const what = `${figure.group}: ${figure.label}, ${figure.subject}`;
  return `  ${paint(colour, verdict.padEnd(14))} ${percentText(shift, true).padStart(7)}  ${values} ${figure.unit}  ${what}`;
}
