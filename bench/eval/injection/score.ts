import { injectionTextBytesMax, injectionTextOverlapBytes } from "../../../src/contract/limits.ts";
import type { ScoredSegment } from "../../../src/detectors/injection/detector.ts";
import type { ModelDetector } from "../../../src/detectors/injection/model-detector.ts";
import { cutUtf8, pieces } from "../../../src/workers/segment/text-cut.ts";

/**
 * The score of a text of any length. The text is cut as the scanner cuts it, and the worst piece
 * counts.
 */
export function textScore(detector: ModelDetector, text: string, segment: ScoredSegment): number {
  const bytes = Buffer.from(text);
  const [max, overlap] = [injectionTextBytesMax, injectionTextOverlapBytes];
  const scores = [...pieces(bytes, 0, bytes.length, cutUtf8, max, overlap)].map(([from, to]) =>
    detector.score(bytes.subarray(from, to), segment),
  );
  return Math.max(0, ...scores);
}

/** The score of a request with one text, to two decimals, as a client sees it. */
export function roundedScore(
  detector: ModelDetector,
  text: string,
  segment: ScoredSegment,
): number {
  return rounded(textScore(detector, text, segment));
}

export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}
