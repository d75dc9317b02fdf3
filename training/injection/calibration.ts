import type { Calibration } from "../../src/detectors/injection/model-file.ts";
import { scoreOfShare } from "../../src/detectors/injection/request-score.ts";

/** Beyond the share of honest texts that this many of them make, the tail is taken as exponential. */
const tailShare = 0.02;

/** The log-odds of an honest text, and what it counts. */
export interface HonestRaw {
  readonly raw: number;
  readonly weight: number;
}

/**
 * The map from log-odds to scores, after the log-odds of honest texts. A score stands for the part
 * `shareKept` of its share of them.
 */
export function calibrate(honest: readonly HonestRaw[], shareKept = 1): Calibration {
  const sorted = [...honest].sort((a, b) => b.raw - a.raw);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const border = rawAtShare(sorted, tailShare * total);
  const tail = sorted.filter(({ raw }) => raw >= border);
  const tailWeight = tail.reduce((sum, { weight }) => sum + weight, 0);
  const mean = tail.reduce((sum, { raw, weight }) => sum + weight * (raw - border), 0) / tailWeight;
  const rawAt = (share: number): number => {
    if (share <= tailShare / 4) return border + mean * Math.log(tailShare / share);
    return rawAtShare(sorted, share * total);
  };
  const points = scoreOfShare.map(([share, score]) => ({ raw: rawAt(share * shareKept), score }));
  // Straight lines need points that rise.
  for (let at = 1; at < points.length; at++) {
    const [before, point] = [points[at - 1], points[at]];
    if (before !== undefined && point !== undefined && point.raw <= before.raw) {
      point.raw = before.raw + 1e-3;
    }
  }
  return {
    raw: points.map(({ raw }) => Math.round(raw * 1e4) / 1e4),
    score: points.map(({ score }) => score),
  };
}

/** The lowest log-odds among those of the highest that together count `weight`. */
function rawAtShare(sorted: readonly HonestRaw[], weight: number): number {
  let counted = 0;
  for (const { raw, weight: own } of sorted) {
    counted += own;
    if (counted > weight) return raw;
  }
  return sorted.at(-1)?.raw ?? 0;
}
