import fc from "fast-check";
import { expect, test } from "vitest";
import { latencyBucket, latencyOf } from "../../../src/store/read-model/latency-bucket.ts";

test("a bucket's middle is at most 1.1 % away from what is in it", () => {
  const fromMicrosecondToDay = fc.double({
    min: Math.log(1e-3),
    max: Math.log(8.64e7),
    noNaN: true,
  });
  fc.assert(
    fc.property(fromMicrosecondToDay.map(Math.exp), (ms) => {
      expect(Math.abs(latencyOf(latencyBucket(ms) ?? NaN) / ms - 1)).toBeLessThan(0.011);
    }),
  );
});

test("a longer latency is in no earlier bucket, and every number has one", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      expect(latencyBucket(low) ?? NaN).toBeLessThanOrEqual(latencyBucket(high) ?? NaN);
      expect(latencyBucket(low)).toBeGreaterThanOrEqual(0);
      expect(latencyBucket(high)).toBeLessThanOrEqual(65_535);
    }),
  );
  expect(latencyBucket(null)).toBeNull();
});
