import type { InjectionResult, Sensitivity } from "../../contract/scan.ts";

/**
 * The lowest score that each sensitivity blocks (spec: Scan options, `sensitivity`). A score of at
 * least the strict one is always flagged.
 */
export const operatingPoints: Readonly<Record<Sensitivity, number>> = {
  strict: 0.5,
  balanced: 0.8,
  permissive: 0.9,
};

/**
 * The verdict on a score (spec: Scan response, `injection`). The score is rounded to two decimals
 * before the comparison, so that a client sees no contradiction. null, NaN and numbers outside 0 to
 * 1 mean that the score could not be computed; the verdict is then to block.
 */
export function judge(score: number | null, sensitivity: Sensitivity): InjectionResult {
  if (score === null || !(score >= 0 && score <= 1)) {
    return { verdict: "block", score: null, reason_code: "score_uncomputable" };
  }
  const rounded = Math.round(score * 100) / 100;
  if (rounded >= operatingPoints[sensitivity]) {
    return { verdict: "block", score: rounded, reason_code: "at_or_above_selected" };
  }
  if (rounded >= operatingPoints.strict) {
    return { verdict: "flag", score: rounded, reason_code: "between_strict_and_selected" };
  }
  return { verdict: "allow", score: rounded, reason_code: "below_strict_threshold" };
}
