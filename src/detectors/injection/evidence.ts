/** What the windows of a text, or of a decoded run in it, say in log-odds. */
export interface Evidence {
  readonly best: number;
  readonly mean: number;
  /** Windows of the text with all its decoded runs. */
  readonly windows: number;
}

/** How a text's log-odds follow from its windows', by segment. */
export interface Weighing {
  /** How much the mean of all windows counts beside the best one. */
  readonly meanWeight: number;
  /** Log-odds taken off for each e-fold of windows beyond `windowsFree`. */
  readonly lengthSlope: number;
  readonly windowsFree: number;
}

/** A lower mean than this counts as this one, so that harmless words around an attack hide little. */
export const meanMin = -2;

/**
 * The log-odds of a text. One window decides most: an attack is seldom longer. But a text of many
 * windows has a suspicious one by chance, and what a user writes is suspicious throughout or not at
 * all. NaN where a window is NaN.
 */
export function logOdds({ best, mean, windows }: Evidence, weighing: Weighing): number {
  const { meanWeight, lengthSlope, windowsFree } = weighing;
  const excess = Math.log(Math.max(1, windows / windowsFree));
  return best + meanWeight * Math.max(meanMin, mean) - lengthSlope * excess;
}
