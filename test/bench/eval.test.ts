import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { halfOf, readRows } from "../../bench/eval/rows.ts";
import { count, interval, type Matching, type Tally } from "../../bench/eval/tally.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-eval-"));
  const rows = Array.from({ length: 100 }, (_, i) =>
    JSON.stringify({ text: `row ${i}`, label: 1 }),
  );
  writeFileSync(join(folder, "small.jsonl.gz"), gzipSync(rows.join("\n")));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the halves share no row and leave none out", () => {
  const all = readRows(folder, "small", "all") ?? [];
  const reporting = readRows(folder, "small", "reporting") ?? [];
  const calibration = readRows(folder, "small", "calibration") ?? [];
  expect(all).toHaveLength(100);
  expect(reporting.length + calibration.length).toBe(100);
  expect(reporting.every(({ text }) => halfOf(text) === "reporting")).toBe(true);
  expect(reporting.length).toBeGreaterThan(25);
  expect(calibration.length).toBeGreaterThan(25);
  expect(readRows(folder, "nothing", "all")).toBeNull();
});

describe("counting", () => {
  const span = (type: string, start: number, end: number) => ({ type, start, end });
  const tallied = (matching: Matching): Tally | undefined => {
    const tallies = new Map<string, Tally>();
    const gold = [span("A", 0, 5), span("A", 10, 15), span("A", 20, 25), span("B", 0, 5)];
    const found = [span("A", 0, 5), span("A", 11, 14), span("A", 30, 35)];
    count(gold, found, matching, tallies);
    expect(tallies.get("B")).toMatchObject({ truePositives: 0, falseNegatives: 1 });
    return tallies.get("A");
  };

  test("by overlap", () => {
    const tally = tallied("overlap");
    expect(tally).toMatchObject({ truePositives: 2, falseNegatives: 1, falsePositives: 1 });
    expect(tally?.f1).toBeCloseTo(2 / 3);
  });

  test("exactly", () => {
    const tally = tallied("exact");
    expect(tally).toMatchObject({ truePositives: 1, falseNegatives: 2, falsePositives: 2 });
    expect(tally?.precision).toBeCloseTo(1 / 3);
  });
});

test("Wilson's interval, against published values", () => {
  expect(interval(0, 0)).toContain("-");
  expect(interval(10, 10)).toBe("1.000 [0.722–1.000]");
  expect(interval(0, 10)).toBe("0.000 [0.000–0.278]");
  expect(interval(50, 100)).toBe("0.500 [0.404–0.596]");
});
