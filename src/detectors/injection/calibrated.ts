import type { Calibration } from "./model-file.ts";

/** The score for the given log-odds; NaN stays NaN. */
export function calibrated(raw: number, { raw: points, score }: Calibration): number {
  const last = points.length - 1;
  if (!(raw > (points[0] ?? 0))) return Number.isNaN(raw) ? raw : (score[0] ?? 0);
  if (raw >= (points[last] ?? 0)) return score[last] ?? 1;
  let at = 1;
  while (raw > (points[at] ?? 0)) at++;
  const [from, to] = [points[at - 1] ?? 0, points[at] ?? 0];
  const [low, high] = [score[at - 1] ?? 0, score[at] ?? 0];
  return low + ((high - low) * (raw - from)) / (to - from);
}
