import type { Figure } from "../../bench/report/figure.ts";

/** A figure of the tests; `rounds` alone is enough. */
export function figure(rounds: readonly number[], told: Partial<Figure> = {}): Figure {
  return {
    id: "micro/a",
    group: "Group",
    label: "A",
    subject: "weir",
    unit: "µs",
    better: "lower",
    ...told,
    rounds,
  };
}
