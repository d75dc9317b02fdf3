import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { suites } from "../../bench/micro/suites.ts";
import { compare } from "../../bench/report/compare.ts";
import type { Figure, Goal } from "../../bench/report/figure.ts";
import { judged, type Reached } from "../../bench/report/judged-goal.ts";
import { html, Markup } from "../../bench/report/markup.ts";
import { pageOf } from "../../bench/report/page.ts";
import { readReport, type Report } from "../../bench/report/report.ts";
import { isAsked } from "../../bench/report/run-options.ts";
import { numberText, percentText, tablesOf } from "../../bench/report/table.ts";
import { terminalText } from "../../bench/report/terminal.ts";
import { figure } from "./figures.ts";

const goals: readonly Goal[] = [
  {
    figure: "micro/a",
    label: "As <fast> as A",
    better: "lower",
    mustReach: 3,
    aim: 1,
    unit: "µs",
    value: ([first]) => first?.rounds[0] ?? null,
  },
];

function reportOf(figures: readonly Figure[]): Report {
  return {
    version: 1,
    startedAt: "2026-11-21T08:00:00.000Z",
    seconds: 91.4,
    quick: false,
    machine: {
      cores: 2,
      processor: "Processor & Co",
      memoryMegabytes: 4096,
      kernel: "Linux 6.1",
      node: "v22.23.3",
      commit: "0123456789ab",
      loadAverage: 0.5,
    },
    goals: judged(goals, figures),
    figures,
  };
}

const several = [
  figure([1, 2, 3], { label: "Load <1>", note: 'a "note" & more' }),
  figure([30, 20, 40], { id: "micro/b", label: "Load <1>", subject: "nginx's" }),
  figure([5], { id: "micro/c", label: "Alone", unit: "MB/s", better: "higher" }),
  figure([7], { id: "macro/d", group: "Other <group>", label: "D" }),
];

describe("a goal", () => {
  const bounds = { mustReach: 10, aim: 5 };
  test.each<readonly [string, number | null, Figure["better"], number | null, Reached]>([
    ["below the aim", 4, "lower", 5, "aim"],
    ["at the aim", 5, "lower", 5, "aim"],
    ["above the aim", 6, "lower", 5, "must"],
    ["at its bound", 10, "lower", 5, "must"],
    ["above its bound", 10.1, "lower", 5, "no"],
    ["without an aim", 1, "lower", null, "must"],
    ["where more is better", 9, "higher", 20, "no"],
    ["where more is better, reached", 10, "higher", 20, "must"],
    ["where more is better, the aim", 20, "higher", 20, "aim"],
    ["without a value", null, "lower", 5, "not measured"],
    ["with no number", Number.NaN, "lower", 5, "not measured"],
  ])("%s", (_, value, better, aim, reached) => {
    const about = { figure: "f", label: "", unit: "", better } as const;
    const [result] = judged([{ ...about, ...bounds, aim, value: () => value }], []);
    expect(result?.reached).toBe(reached);
  });
});

it("puts figures of one label and unit into one row", () => {
  const tables = tablesOf(several);
  expect(tables.map(({ group }) => group)).toEqual(["Group", "Other <group>"]);
  expect(tables[0]?.subjects).toEqual(["weir", "nginx's"]);
  expect(tables[0]?.rows.map(({ figures }) => figures.length)).toEqual([2, 1]);
});

test.each([
  [0, "0"],
  [1, "1.00"],
  [9.999, "10.0"],
  [12_345, "12 300"],
  [0.0123456, "0.0123"],
  [1_234_567, "1 230 000"],
  [-1.5, "−1.50"],
  [99.95, "100"],
  [Infinity, "∞"],
  [Number.NaN, "?"],
])("the number %d reads %s", (value, text) => expect(numberText(value)).toBe(text));

test.each([
  [0.051, false, "5.1 %"],
  [0.2, true, "+20 %"],
  [-0.2, true, "−20 %"],
  [0.0996, false, "10 %"],
  [Infinity, true, "+∞ %"],
])("the share %d reads (signed: %s) %s", (share, signed, text) =>
  expect(percentText(share, signed)).toBe(text),
);

describe("the page", () => {
  it("holds every figure, its rounds, note, goal and machine, escaped", () => {
    const page = pageOf(reportOf(several), null);
    for (const text of [
      "Load &#60;1&#62;",
      "nginx&#39;s",
      "a &#34;note&#34; &#38; more",
      "1.00, 2.00, 3.00",
      "Other &#60;group&#62;",
      "As &#60;fast&#62; as A",
      "Processor &#38; Co",
      "0123456789ab",
      "Alone",
    ]) {
      expect(page).toContain(text);
    }
    for (const raw of ["Load <1>", "<fast>", "Other <group>", "Processor & Co"]) {
      expect(page).not.toContain(raw);
    }
  });

  it("needs nothing from elsewhere", () => {
    const page = pageOf(reportOf(several), null);
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:|src=/);
  });

  it("marks what changed, and only that", () => {
    const before = several.map((one) => ({ ...one, rounds: [...one.rounds, ...one.rounds] }));
    const after = before.map((one, index) =>
      index === 3 ? { ...one, rounds: one.rounds.map((value) => value * 2) } : one,
    );
    const page = pageOf(reportOf(after), compare(before, after));
    expect(page.match(/class="change/g)).toHaveLength(2);
    expect(page).toContain("+100 % perhaps worse");
  });

  it("escapes whatever stands in a figure", () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), (label, subject) => {
        const marked = { label: `${label}<b id="x">`, subject: `${subject}"><i>` };
        const page = pageOf(reportOf([figure([1], marked)]), null);
        expect(page).not.toContain('<b id="x">');
        expect(page).not.toContain('"><i>');
      }),
    ));

  it("inserts HTML as it is and text as text", () => {
    expect(html`<a title="${`"'&`}">${new Markup("<b>")}${3}${[html`${"<"}`]}</a>`.text).toBe(
      '<a title="&#34;&#39;&#38;"><b>3&#60;</a>',
    );
  });
});

it("tells every figure, goal and change on the terminal", () => {
  const after = several.map((one) => ({ ...one, rounds: one.rounds.map((value) => value * 9) }));
  const plain = (_: string, text: string): string => text;
  const text = terminalText(reportOf(after), compare(several, after), plain);
  for (const one of after) expect(text).toContain(one.label);
  expect(text).toMatch(/nginx's/);
  expect(text).toMatch(/As <fast> as A +9\.00 +≤ 3\.00 \(aim 1\.00\) +µs +not reached/);
  expect(text).toMatch(/perhaps worse +\+800 % +7\.00 → 63\.0 µs/);
});

describe("a report's file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "weir-report-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const written = (value: unknown): string => {
    const file = join(folder, "report.json");
    writeFileSync(file, JSON.stringify(value));
    return file;
  };

  it("is read back with all that a comparison needs", () => {
    const report = reportOf(several);
    const { changes } = compare(readReport(written(report)).figures, report.figures);
    expect(changes.map(({ verdict }) => verdict)).toEqual(several.map(() => "same"));
  });

  test.each([
    ["something else", { name: "weir" }],
    ["another version", { ...reportOf(several), version: 2 }],
    ["a figure without rounds", reportOf([figure([])])],
  ])("is not %s", (_, value) => expect(() => readReport(written(value))).toThrow("no report"));
});

test.each([
  [[], "micro/json/", true],
  [["micro"], "micro/json/", true],
  [["micro/json/scan"], "micro/json/", true],
  [["micro/json"], "micro/json/scan/prose", true],
  [["micro/js", "macro"], "micro/ledger/", false],
  [["micro/json/scan"], "micro/json/splice", false],
])("with --only %j, %s is asked for: %s", (only, id, asked) =>
  expect(isAsked(only, id)).toBe(asked),
);

it("has suites whose ids differ", () => {
  const ids = suites.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
