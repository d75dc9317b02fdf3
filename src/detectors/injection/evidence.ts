/** The log-odds of the windows of a text, or of a decoded run in it. */
export interface Evidence {
  readonly best: number;
  readonly mean: number;
  /** Windows of the text with all its decoded runs. */
  readonly windows: number;
}

/** How the log-odds of a text follow from those of its windows, for one segment. */
export interface Weighing {
  /** The weight of the mean of all windows, which is added to the best window. */
  readonly meanWeight: number;
  /** Log-odds subtracted for each factor e in the number of windows beyond `windowsFree`. */
  readonly lengthSlope: number;
  readonly windowsFree: number;
}

/**
 * The least mean that counts. A lower mean counts as this one, so that harmless words around an
 * attack hide little.
 */
export const meanMin = -2;

/**
 * The log-odds of a text. The best window decides most, because an attack is seldom longer. But a
 * text of many windows has a suspicious one by chance, and a user's attack is usually suspicious
 * throughout. NaN if a window is NaN.
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
  /** The distance from each border, in log-odds, after which the network counts in full. */
  readonly fade: number;
  /** The weight of the network's log-odds, which are added to those of the linear model. */
  readonly share: number;
}

/**
 * The weight of the network's log-odds for a text to which the linear model gives `raw`; 0 outside
 * the band.
 */
export function networkShare(raw: number, { from, to, fade, share }: Band): number {
  const inwards = Math.min(raw - from, to - raw) / fade;
  return inwards > 0 ? share * Math.min(1, inwards) : 0;
}
