/** What the windows of a text, or of a decoded run in it, say in log-odds. */
export interface Evidence {
  readonly best: number;
  readonly mean: number;
  /** Windows of the text with all its decoded runs. */
  readonly windows: number;
}

/** How a text's log-odds follow from its windows', by segment. */
export interface Weighing {
  /** The weight of the mean of all windows, besides the best one. */
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

/** The range of log-odds in which the network is asked, because it could change the verdict. */
export interface Band {
  readonly from: number;
  readonly to: number;
  /** Log-odds from each border inwards over which it comes to count in full. */
  readonly fade: number;
  /** The weight of the network's log-odds, besides those of the linear model. */
  readonly share: number;
}

/** What the network's log-odds count for a text of which the linear model says `raw`; 0 outside. */
export function networkShare(raw: number, { from, to, fade, share }: Band): number {
  const inwards = Math.min(raw - from, to - raw) / fade;
  return inwards > 0 ? share * Math.min(1, inwards) : 0;
}
