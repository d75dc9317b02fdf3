import { expect, test } from "vitest";
import { microUsd } from "../../src/contract/money.ts";
import { costStatuses, costText } from "../../src/contract/usage.ts";

test("a cost has six places, whatever its status", () => {
  for (const status of costStatuses) expect(costText(microUsd(31n), status)).toBe("0.000031");
});

// spec: Cost status values. Those that are left out never come without a cost.
test.each([
  ["unknown_model", null],
  ["pricing_gap", null],
  ["missing_usage", null],
  ["streaming_no_usage", null],
  ["byok", null],
  ["non_billable", "0.000000"],
] as const)("%s has the cost %s", (status, text) => {
  expect(costText(null, status)).toBe(text);
});
