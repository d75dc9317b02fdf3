import fc from "fast-check";
import { expect, test } from "vitest";
import { thresholdUnits, usageText } from "../../src/contract/usage-limit.ts";

test.each<["cost" | "tokens" | "requests", string, bigint | undefined]>([
  ["cost", "50", 50_000_000n],
  ["cost", "50.00", 50_000_000n],
  ["cost", "0.000001", 1n],
  ["cost", "999999999999.999999", 999_999_999_999_999_999n],
  ["cost", "0", undefined],
  ["cost", "0.000000", undefined],
  ["cost", "0.0000001", undefined],
  ["cost", "-1", undefined],
  ["cost", "1e3", undefined],
  ["cost", ".5", undefined],
  ["cost", "05", undefined],
  ["cost", " 5", undefined],
  ["tokens", "1", 1n],
  ["requests", "999999999999999", 999_999_999_999_999n],
  ["requests", "9999999999999999", undefined],
  ["tokens", "1.0", undefined],
  ["tokens", "0", undefined],
  ["tokens", "", undefined],
])("the threshold of %s %j is %s units", (type, text, units) => {
  expect(thresholdUnits(type, text)).toBe(units);
});

test("what is counted is written as a threshold is", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 999_999_999_999_999n), (units) => {
      for (const type of ["cost", "tokens", "requests"] as const) {
        expect(thresholdUnits(type, usageText(type, units))).toBe(units);
      }
    }),
  );
  expect(usageText("cost", 0n)).toBe("0.000000");
  expect(usageText("requests", 0n)).toBe("0");
});
