import { describe, expect, it } from "vitest";
import type { InjectionResult, Sensitivity } from "../../../src/contract/scan.ts";
import { judge, operatingPoints } from "../../../src/detectors/injection/verdict.ts";

const { strict, balanced, permissive } = operatingPoints;
const allow = (score: number): InjectionResult => ({
  verdict: "allow",
  score,
  reason_code: "below_strict_threshold",
});
const flag = (score: number): InjectionResult => ({
  verdict: "flag",
  score,
  reason_code: "between_strict_and_selected",
});
const block = (score: number): InjectionResult => ({
  verdict: "block",
  score,
  reason_code: "at_or_above_selected",
});
const uncomputable: InjectionResult = {
  verdict: "block",
  score: null,
  reason_code: "score_uncomputable",
};

describe("judge", () => {
  it("has operating points in order", () => {
    expect(strict).toBeLessThan(balanced);
    expect(balanced).toBeLessThan(permissive);
  });

  it.each<[score: number | null, sensitivity: Sensitivity, result: InjectionResult]>([
    [0, "balanced", allow(0)],
    [strict - 0.01, "strict", allow(strict - 0.01)],
    [strict, "strict", block(strict)],
    [strict, "balanced", flag(strict)],
    [balanced - 0.01, "balanced", flag(balanced - 0.01)],
    [balanced, "balanced", block(balanced)],
    [balanced, "permissive", flag(balanced)],
    [permissive, "permissive", block(permissive)],
    [1, "permissive", block(1)],
    // Rounded first: what a client reads as the operating point has reached it.
    [balanced - 0.004, "balanced", block(balanced)],
    [balanced - 0.006, "balanced", flag(balanced - 0.01)],
    [strict - 0.004, "balanced", flag(strict)],
    [0.123456, "balanced", allow(0.12)],
    [null, "permissive", uncomputable],
    [Number.NaN, "permissive", uncomputable],
    [-0.1, "permissive", uncomputable],
    [1.1, "permissive", uncomputable],
    [Infinity, "permissive", uncomputable],
  ])("%d at %s", (score, sensitivity, result) => {
    expect(judge(score, sensitivity)).toEqual(result);
  });
});
