import type { Figure, Goal } from "../report/figure.ts";
import { median } from "../report/statistics.ts";

/** The goals of the parts. */
export const microGoals: readonly Goal[] = [
  goal("micro/audit/record", "Durable record: encode and enqueue", 0.5, 0.2, "µs"),
  goal("micro/billing/exchange", "Price, worst case, usage and cost of an exchange", 5, null, "µs"),
  goal("micro/ledger/hold-debit", "Hold and debit on the loop", 10, null, "µs"),
  goal("micro/text/injection/prose", "Injection score, a KB of prose", 60, null, "µs"),
  goal("micro/text/injection/1KB", "Injection score of 1 KB", 40, null, "µs"),
  {
    ...goal("micro/entities/prose/all", "All pattern detectors on prose", 100, null, "MB/s"),
    better: "higher",
  },
];

function goal(
  figure: string,
  label: string,
  mustReach: number,
  aim: number | null,
  unit: string,
): Goal {
  const value = (figures: readonly Figure[]): number | null => {
    const found = figures.find(({ id }) => id === figure);
    return found === undefined ? null : median(found.rounds);
  };
  return { figure, label, better: "lower", mustReach, aim, unit, value };
}
