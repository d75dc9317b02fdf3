/**
 * The quantile, by linear interpolation between the nearest ranks; `q` from 0 to 1. Throws if there
 * are no values.
 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  if (low === undefined || high === undefined) throw new Error("no values to take a quantile of");
  return low + (high - low) * (rank - Math.floor(rank));
}
