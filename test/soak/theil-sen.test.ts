import { expect, test } from "vitest";
import { Random } from "../sim/random.ts";
import { inBins, theilSen } from "./theil-sen.ts";

const line = (n: number, slope: number) =>
  Array.from({ length: n }, (_, at) => ({ at, value: 100 + slope * at }));

test("a line has its slope, and an interval of no width", () => {
  expect(theilSen(line(20, 0.5))).toEqual({ slope: 0.5, lower: 0.5, upper: 0.5 });
});

test("a fifth of wild samples moves the slope little", () => {
  const samples = line(50, 2).map((sample, i) =>
    i % 5 === 0 ? { ...sample, value: 1e6 } : sample,
  );
  expect(theilSen(samples)?.slope).toBeCloseTo(2, 0);
});

test("a known example: Sen's interval of noise around a line holds its slope", () => {
  let held = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = new Random(seed);
    const noisy = line(40, 0.1).map(({ at, value }) => ({
      at,
      value: value + random.between(-5, 5),
    }));
    const found = theilSen(noisy);
    if (found !== null && found.lower <= 0.1 && found.upper >= 0.1) held += 1;
  }
  // 95 % of 200 is 190; fewer than 180 would be one in a million.
  expect(held).toBeGreaterThan(180);
});

test("two samples tell nothing", () => {
  expect(theilSen(line(2, 1))).toBeNull();
});

test("bins have the median of theirs", () => {
  const samples = [1, 9, 2, 30, 10, 20].map((value, at) => ({ at, value }));
  expect(inBins(samples, 3)).toEqual([
    { at: 1.5, value: 2 },
    { at: 4.5, value: 20 },
  ]);
});
