/** The middle of sorted values; between two middles, their mean. Throws for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** By linear interpolation between the nearest ranks; `q` from 0 to 1. Throws for no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  if (low === undefined || high === undefined) throw new Error("no values to take a quantile of");
  return low + (high - low) * (rank - Math.floor(rank));
}

/** Half of what lies between the lowest and the highest value, as a share of the median. */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  if (middle === 0) return 0;
  return (quantile(values, 1) - quantile(values, 0)) / 2 / Math.abs(middle);
}
