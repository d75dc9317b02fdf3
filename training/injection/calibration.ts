import type { Calibration } from "../../src/detectors/injection/model-file.ts";

/**
 * Which score stands for which share of honest texts that score as high or higher. The operating
 * points in verdict.ts are three of these scores.
 */
const scoreOfShare: readonly (readonly [share: number, score: number])[] = [
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

/** Beyond the share of honest texts that this many of them make, the tail is taken as exponential. */
const tailShare = 0.02;

/** The map from log-odds to scores, after the log-odds of honest texts. */
export function calibrate(honest: readonly number[]): Calibration {
  const sorted = [...honest].sort((a, b) => b - a);
  const tail = sorted.slice(0, Math.max(10, Math.floor(sorted.length * tailShare)));
  const border = tail.at(-1) ?? 0;
  const mean = tail.reduce((sum, raw) => sum + raw - border, 0) / tail.length;
  const rawAt = (share: number): number => {
    if (share <= tailShare / 4) return border + mean * Math.log(tailShare / share);
    return sorted[Math.floor(share * sorted.length)] ?? border;
  };
  const points = scoreOfShare.map(([share, score]) => ({ raw: rawAt(share), score }));
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
