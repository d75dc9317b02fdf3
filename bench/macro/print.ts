import type { Figure } from "../report/figure.ts";
import { median, quantile } from "./statistics.ts";

/** As plain lines: figure, subject, median, and the range of the rounds. */
export function printFigures(figures: readonly Figure[]): void {
  let group = "";
  for (const figure of figures) {
    if (figure.group !== group) {
      group = figure.group;
      console.log(`\n${group}`);
    }
    const { label, subject, unit, rounds, note } = figure;
    const range = `${shown(quantile(rounds, 0))} … ${shown(quantile(rounds, 1))}`;
    const value = `${shown(median(rounds))} ${unit}`.padEnd(18);
    console.log(`  ${label.padEnd(38)} ${subject.padEnd(40)} ${value} (${range}) ${note ?? ""}`);
  }
}

/** Three digits that matter. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return "–";
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
