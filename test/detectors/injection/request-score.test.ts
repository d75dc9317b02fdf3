import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestScore, scoreOfShare } from "../../../src/detectors/injection/request-score.ts";

const scores = scoreOfShare.map(([, score]) => score);

describe("requestScore", () => {
  it.each([0, 0.01, 0.5, 0.8, 0.93, 1])("is the score of a lone text or a few: %d", (score) => {
    for (const texts of [0, 1, 4]) expect(requestScore(score, texts)).toBe(score);
  });

  it.each([
    // Of forty texts one in a thousand is as rare as of four one in ten thousand.
    [0.9, 40, 0.72],
    [0.95, 20, 0.883],
    [0.98, 400, 0.8],
    [0.01, 400, 0],
    [0, 400, 0],
  ])("of the worst score %d of %d texts is %d", (worst, texts, expected) => {
    expect(requestScore(worst, texts)).toBeCloseTo(expected, 2);
  });

  it("stays between 0 and the worst score, falls with the texts and rises with the score", () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    const texts = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(score, score, texts, texts, (a, b, n, m) => {
        const found = requestScore(a, n);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(a + 1e-9);
        expect(requestScore(a, n + m)).toBeLessThanOrEqual(found + 1e-9);
        expect(requestScore(Math.max(a, b), n)).toBeGreaterThanOrEqual(found - 1e-9);
      }),
    );
  });

  it("leaves NaN, which blocks", () => {
    expect(requestScore(Number.NaN, 100)).toBeNaN();
  });

  it("has a table whose shares fall and whose scores rise", () => {
    const shares = scoreOfShare.map(([share]) => share);
    expect([...shares].sort((a, b) => b - a)).toEqual(shares);
    expect([...scores].sort((a, b) => a - b)).toEqual(scores);
  });
});
