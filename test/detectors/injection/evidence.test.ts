import { describe, expect, it } from "vitest";
import { logOdds, meanMin, networkShare } from "../../../src/detectors/injection/evidence.ts";

const user = { meanWeight: 0.5, lengthSlope: 0, windowsFree: 1 };
const tool = { meanWeight: 0, lengthSlope: 1, windowsFree: 8 };

describe("logOdds", () => {
  it("is the best window's where nothing else counts", () => {
    expect(logOdds({ best: 3, mean: -4, windows: 8 }, tool)).toBe(3);
  });

  it("adds the mean of all windows, but harmless words hide no more than so much", () => {
    expect(logOdds({ best: 3, mean: 1, windows: 2 }, user)).toBe(3.5);
    const hidden = logOdds({ best: 3, mean: -9, windows: 40 }, user);
    expect(hidden).toBe(3 + 0.5 * meanMin);
  });

  it("takes one off for each e-fold of windows beyond the free ones", () => {
    expect(logOdds({ best: 3, mean: 0, windows: 8 * Math.E }, tool)).toBeCloseTo(2, 9);
    expect(logOdds({ best: 3, mean: 0, windows: 1 }, tool)).toBe(3);
  });

  it("is NaN where a window is", () => {
    expect(logOdds({ best: Number.NaN, mean: 0, windows: 1 }, tool)).toBeNaN();
    expect(logOdds({ best: 0, mean: Number.NaN, windows: 1 }, user)).toBeNaN();
  });
});

describe("networkShare", () => {
  const band = { from: -2, to: 6, fade: 2, share: 0.5 };

  it.each([
    [-9, 0],
    [-2, 0],
    [-1, 0.25],
    [0, 0.5],
    [4, 0.5],
    [5, 0.25],
    [6, 0],
    [9, 0],
    [-Infinity, 0],
    [Infinity, 0],
    [Number.NaN, 0],
  ])("at %d log-odds is %d", (raw, share) => {
    expect(networkShare(raw, band)).toBe(share);
  });
});
