import { digitAt } from "./digits.ts";

/**
 * The sum of each digit times its weight; digits beyond the weights do not count. Most national
 * numbers have a check digit that is some remainder of it.
 */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * digitAt(digits, index), 0);
}
