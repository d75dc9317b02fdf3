import type { Change, Comparison } from "./compare.ts";
import type { Figure } from "./figure.ts";
import type { JudgedGoal, Reached } from "./judged-goal.ts";
import { html, Markup } from "./markup.ts";
import { pageStyle } from "./page-style.ts";
import type { Report } from "./report.ts";
import { median, spread } from "./statistics.ts";
import { numberText, percentText, tablesOf, type Row, type Table } from "./table.ts";

const nothing = new Markup("");

/** The report as one page without scripts, fonts or further requests. */
export function pageOf(report: Report, comparison: Comparison | null): string {
  const { startedAt, seconds, quick, goals, figures } = report;
  const changes = new Map(comparison?.changes.map((change) => [change.figure, change]));
  const tables = tablesOf(figures);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Weir bench, ${startedAt}</title>
        <style>
          ${new Markup(pageStyle)}
        </style>
      </head>
      <body>
        <h1>Weir bench</h1>
        <p>
          ${startedAt}, ${Math.round(seconds)} s.
          ${quick ? html`<strong>A quick run: its figures are too short to be compared.</strong>` : nothing}
        </p>
        ${machineList(report)}
        <nav>${tables.map(({ group }, index) => html`<a href="#g${index}">${group}</a> `)}</nav>
        ${goals.length === 0 ? nothing : goalsSection(goals)}
        ${comparison === null ? nothing : comparisonSection(comparison)}
        <p class="how">
          A value is the median of the rounds; the thin line reaches from the lowest to the highest
          round, and ± is half of that as a share of the median. A row with several subjects has a
          scale of its own; the other rows of a table share one for each unit.
        </p>
        ${tables.map((table, index) => tableSection(table, index, changes))}
      </body>
    </html> `;
  return page.text;
}

function machineList({ machine }: Report): Markup {
  const facts: readonly (readonly [string, string])[] = [
    ["Processor", `${machine.cores} × ${machine.processor}`],
    ["Memory", `${(machine.memoryMegabytes / 1024).toFixed(1)} GB`],
    ["Kernel", machine.kernel],
    ["Node", machine.node],
    ["Commit", machine.commit ?? "unknown"],
    ["Load at the start", machine.loadAverage.toFixed(2)],
  ];
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

const reachedTexts: Readonly<Record<Reached, string>> = {
  aim: "✓ aim reached",
  must: "✓ reached",
  no: "✗ not reached",
  "not measured": "not measured",
};

function goalsSection(goals: readonly JudgedGoal[]): Markup {
  const rows = goals.map((goal) => {
    const { label, value, unit, better, mustReach, aim, reached } = goal;
    const sign = better === "lower" ? "≤" : "≥";
    return html`<tr class="${reached.replace(" ", "-")}">
      <td>${label}</td>
      <td class="number">${value === null ? "–" : numberText(value)} ${unit}</td>
      <td class="wide">${value === null ? nothing : goalBar(value, goal)}</td>
      <td class="number">${sign} ${numberText(mustReach)}</td>
      <td class="number">${aim === null ? "" : `${sign} ${numberText(aim)}`}</td>
      <td class="verdict">${reachedTexts[reached]}</td>
    </tr> `;
  });
  return html`<h2>Goals</h2>
    <table class="goals">
      <thead>
        <tr>
          <th>Figure</th>
          <th class="number">Here</th>
          <th></th>
          <th class="number">Must reach</th>
          <th class="number">Aim</th>
          <th></th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`;
}

/** The value as a bar, with its goal as a mark in the middle. */
function goalBar(value: number, { mustReach }: JudgedGoal): Markup {
  const share = mustReach === 0 ? 0 : Math.min(1, Math.max(0, value / mustReach / 2));
  return html`<span class="bar"><i style="width:${percent(share)}"></i><b class="mark"></b></span>`;
}

function comparisonSection({ changes, added, removed }: Comparison): Markup {
  const changed = changes.filter(({ verdict }) => verdict !== "same");
  const rows = changed.map(
    ({ figure, before, shift, verdict }) =>
      html`<tr>
        <td>${changeTag(shift, verdict)}</td>
        <td>${figure.group}: ${figure.label}, ${figure.subject}</td>
        <td class="number">
          ${numberText(median(before.rounds))} → ${numberText(median(figure.rounds))} ${figure.unit}
        </td>
      </tr> `,
  );
  return html`<h2>Changed since the earlier run</h2>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <p>
      ${changes.length - changed.length} figures unchanged, ${added.length} only in this run,
      ${removed.length} only in the earlier one.
    </p>`;
}

function changeTag(shift: number, verdict: Change["verdict"]): Markup {
  const [first = ""] = verdict.split(" ");
  return html`<span class="change ${first}">${percentText(shift, true)} ${verdict}</span>`;
}

type Changes = ReadonlyMap<Figure, Change>;

function tableSection({ group, rows }: Table, index: number, changes: Changes): Markup {
  const alone = rows.filter(({ figures }) => figures.length === 1);
  const highest = new Map(
    Array.from(
      Map.groupBy(alone, ({ unit }) => unit),
      ([unit, ofUnit]) => [unit, highestOf(ofUnit.flatMap(({ figures }) => figures))],
    ),
  );
  const bodies = rows.map((row) => {
    const scale = row.figures.length === 1 ? highest.get(row.unit) : undefined;
    return rowBody(row, scale ?? highestOf(row.figures), changes);
  });
  return html`<h2 id="g${index}">${group}</h2>
    <table class="figures">
      ${bodies}
    </table>`;
}

function highestOf(figures: readonly Figure[]): number {
  return Math.max(0, ...figures.flatMap(({ rounds }) => rounds));
}

/** The label is shown once, before the first of its subjects. */
function rowBody({ label, unit, figures }: Row, highest: number, changes: Changes): Markup {
  const lines = figures.map((figure, index) => {
    const { subject, rounds, note = "" } = figure;
    const change = changes.get(figure);
    const isMarked = change !== undefined && change.verdict !== "same";
    const first = html`<td rowspan="${figures.length}" class="label">${label}</td>`;
    const ours = subject.startsWith("weir") ? "ours" : "peer";
    return html`<tr title="${rounds.map(numberText).join(", ")}">
      ${index === 0 ? first : nothing}
      <td class="subject">${subject}</td>
      <td class="wide"><span class="bar ${ours}">${bars(rounds, highest)}</span></td>
      <td class="number">${numberText(median(rounds))}</td>
      <td class="spread">${rounds.length === 1 ? "" : `± ${percentText(spread(rounds))}`}</td>
      <td class="unit">${unit}</td>
      <td class="note">${isMarked ? changeTag(change.shift, change.verdict) : nothing} ${note}</td>
    </tr> `;
  });
  return html`<tbody>
    ${lines}
  </tbody>`;
}

function bars(rounds: readonly number[], highest: number): Markup {
  const shareOf = (value: number): number => (highest === 0 ? 0 : Math.max(0, value / highest));
  const [low, high] = [shareOf(Math.min(...rounds)), shareOf(Math.max(...rounds))];
  return html`<i style="width:${percent(shareOf(median(rounds)))}"></i
    ><b style="left:${percent(low)};width:${percent(high - low)}"></b>`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
