/*
 * Latencies are counted in buckets whose bounds grow by the same factor, so that percentiles of millions of them need
 * no sorting. A bucket's middle is at most 1.1 % away from what is in it.
 */

const bucketsPerOctave = 32;
/** The first bucket begins at a microsecond. */
const perMs = 1_000;
const latencyBucketMax = 65_535;

/** The bucket of a latency in milliseconds; null: not known. */
export function latencyBucket(ms: number | null): number | null {
  if (ms === null || Number.isNaN(ms)) return null;
  const bucket = Math.floor(Math.log2(Math.max(1, ms * perMs)) * bucketsPerOctave);
  return Math.min(bucket, latencyBucketMax);
}

/** The middle of a bucket, in milliseconds. */
export function latencyOf(bucket: number): number {
  return 2 ** ((bucket + 0.5) / bucketsPerOctave) / perMs;
}
