import { expect, test } from "vitest";
import { budgets, excesses } from "../../bench/way/budget.ts";
import type { RequestName } from "../../bench/way/count.ts";
import type { Way } from "../../bench/way/way.ts";

const none = { files: 0, functions: 0, calls: 0 };

function way(promises: number, functions: number, heapKb: number): ReadonlyMap<RequestName, Way> {
  const own = { ...none, functions: functions - 3 };
  const packages = { ...none, functions: 3 };
  const counted = { own, packages, promises, ticks: 0, heapBytes: heapKb * 1_024 };
  return new Map([["own keys, SSE", counted]]);
}

const { promises, functions, heapKb } = budgets["own keys, SSE"];

test("what is within the budget is no excess", () => {
  expect(excesses(way(promises, functions, heapKb))).toEqual([]);
});

test("every count above the budget is named", () => {
  expect(excesses(way(promises + 0.1, functions + 1, heapKb + 1))).toEqual([
    expect.stringMatching(/^own keys, SSE: .* promises, the budget is/),
    expect.stringMatching(/^own keys, SSE: .* functions, the budget is/),
    expect.stringMatching(/^own keys, SSE: .* KB of heap, the budget is/),
  ]);
});
