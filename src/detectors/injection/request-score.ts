/**
 * For each score, the share of honest texts that score as high or higher. The operating points in
 * verdict.ts are three of these scores.
 */
export const scoreOfShare: readonly (readonly [share: number, score: number])[] = [
  [0.9, 0.01],
  [0.5, 0.06],
  [0.2, 0.14],
  [0.1, 0.21],
  [0.05, 0.3],
  [0.02, 0.42],
  [0.01, 0.5],
  [0.005, 0.6],
  [0.002, 0.72],
  [0.001, 0.8],
  [0.0005, 0.85],
  [0.0002, 0.9],
  [0.00005, 0.95],
  [0.00001, 0.98],
  [0.0000001, 1],
];

/**
 * This many texts count as one, because the scores of single texts are calibrated on difficult
 * texts, which are rare in a short conversation. The number was chosen by how many sessions of
 * training/corpus pass.
 */
const textsFree = 4;

/**
 * The score of a request, computed from the score of its worst text. With more texts it is more
 * likely that an honest one scores high by chance. So the share for a score is multiplied with the
 * number of texts. Then an operating point means about the same share of honest requests of any
 * length (docs/decisions/0017). NaN stays NaN.
 */
export function requestScore(worst: number, texts: number): number {
  if (texts <= textsFree || !(worst > 0)) return worst;
  return scoreAt((shareAt(worst) * texts) / textsFree);
}

/** Interpolates the logarithm of the share linearly between the points of the table. */
function shareAt(score: number): number {
  let at = 1;
  while (at < scoreOfShare.length - 1 && score > (scoreOfShare[at]?.[1] ?? 1)) at++;
  const [[shareLow, low], [shareHigh, high]] = neighbours(at);
  const part = (score - low) / (high - low);
  return Math.exp(Math.log(shareLow) + part * (Math.log(shareHigh) - Math.log(shareLow)));
}

function scoreAt(share: number): number {
  let at = 1;
  while (at < scoreOfShare.length - 1 && share < (scoreOfShare[at]?.[0] ?? 0)) at++;
  const [[shareLow, low], [shareHigh, high]] = neighbours(at);
  const part = (Math.log(share) - Math.log(shareLow)) / (Math.log(shareHigh) - Math.log(shareLow));
  return Math.min(1, Math.max(0, low + part * (high - low)));
}

type Point = readonly [share: number, score: number];

function neighbours(at: number): readonly [Point, Point] {
  return [scoreOfShare[at - 1] ?? [1, 0], scoreOfShare[at] ?? [0, 1]];
}
