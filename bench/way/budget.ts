import type { RequestName } from "./count.ts";
import type { Way } from "./way.ts";

/** The most that one request may cost the thread that serves it. */
interface Budget {
  readonly promises: number;
  /** Functions of the program and its packages. */
  readonly functions: number;
  readonly heapKb: number;
}

/**
 * A change that makes a request cost more raises a number here, and says why in its commit. The budget leaves
 * room for differences between runs: the cost of a write every few milliseconds is shared by fewer requests
 * on a slow machine (1 to 2 promises), and a heap is measured to 5 %.
 */
export const budgets: Readonly<Record<RequestName, Budget>> = {
  "own keys, JSON": { promises: 10, functions: 573, heapKb: 44 },
  "pay-through, JSON": { promises: 16, functions: 774, heapKb: 72 },
  "own keys, SSE": { promises: 10, functions: 638, heapKb: 53 },
  "pay-through, SSE": { promises: 12, functions: 797, heapKb: 74 },
};

/** A line for each count that is above its budget. */
export function excesses(ways: ReadonlyMap<RequestName, Way>): readonly string[] {
  return [...ways].flatMap(([name, { promises, own, packages, heapBytes }]) => {
    const budget = budgets[name];
    const counted: readonly (readonly [what: string, count: number, budget: number])[] = [
      ["promises", promises, budget.promises],
      ["functions", own.functions + packages.functions, budget.functions],
      ["KB of heap", heapBytes / 1_024, budget.heapKb],
    ];
    return counted
      .filter(([, count, most]) => count > most)
      .map(([what, count, most]) => `${name}: ${count.toFixed(1)} ${what}, the budget is ${most}`);
  });
}
