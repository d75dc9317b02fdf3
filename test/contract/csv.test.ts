import { expect, test } from "vitest";
import { csvLine } from "../../src/contract/csv.ts";

test.each([
  ["-1.500000", "-1.500000"],
  ["-7", "-7"],
  ["0.25", "0.25"],
  [-7, "-7"],
  [null, ""],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1+1", "'-1+1"],
  ["-", "'-"],
  ["-1.", "'-1."],
  ["--1", "'--1"],
  ["-1\n", '"\'-1\n"'],
  ["-1,5", '"\'-1,5"'],
  ["@a", "'@a"],
  ["\ta", "'\ta"],
  ["\ra", '"\'\ra"'],
  ["\na", '"\'\na"'],
  // Spreadsheets for East Asian languages read the full-width forms as the others.
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠a", "'＠a"],
  ["a＝1", "a＝1"],
])("the cell %j is written %j", (value, cell) => {
  expect(csvLine([value, "b"])).toBe(`${cell},b\r\n`);
});
