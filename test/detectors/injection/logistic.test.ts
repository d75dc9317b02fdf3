import { describe, expect, it } from "vitest";
import { fitLogistic, logOddsBy, type LogisticRow } from "../../../training/injection/logistic.ts";

function row(label: 0 | 1, weight: number, ...inputs: number[]): LogisticRow {
  return { inputs: Float64Array.of(1, ...inputs), label, weight };
}

describe("fitLogistic", () => {
  it("finds the log-odds of a table of counts", () => {
    // Of 0: 10 of 40 are 1; of 1: 30 of 40.
    const rows = [row(1, 10, 0), row(0, 30, 0), row(1, 30, 1), row(0, 10, 1)];
    const [bias, slope] = fitLogistic(rows, 1e-9);
    expect(bias).toBeCloseTo(Math.log(10 / 30), 6);
    expect(slope).toBeCloseTo(2 * Math.log(3), 6);
  });

  it("keeps what nothing speaks for near 0, and is the same each time", () => {
    const rows = Array.from({ length: 50 }, (_, at) => row(at % 3 === 0 ? 1 : 0, 1, at / 50, 0));
    const found = fitLogistic(rows, 1);
    expect(found[2]).toBeCloseTo(0, 9);
    expect(fitLogistic(rows, 1)).toEqual(found);
    expect(logOddsBy(found, Float64Array.of(1, 0, 5))).toBeCloseTo(found[0] ?? 0, 9);
  });
});
