import { expect, test } from "vitest";
import { csvLine } from "../../src/pipeline/csv.ts";

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
])("the cell %j is written %j", (value, cell) => {
  expect(csvLine([value, "b"])).toBe(`${cell},b\r\n`);
});
