/** The middle value, or the mean of the two middle values. Throws if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  if (low === undefined || high === undefined) throw new Error("no values to take a median of");
  return (low + high) / 2;
}

/** Half of the difference between the highest and the lowest value, as a share of the median. */
export function spread(values: readonly number[]): number {
  const middle = median(values);
  if (middle === 0) return 0;
  return (Math.max(...values) - Math.min(...values)) / 2 / Math.abs(middle);
}

/**
 * The probability that two samples of one distribution differ in their ranks at least as much as
 * these (Mann and Whitney, 1947). It is two-sided and exact; ties get their middle ranks. 1 if a
 * sample is empty. The work grows with the fourth power of the number of values, so use it for at
 * most some dozens.
 */
export function rankDifferenceChance(a: readonly number[], b: readonly number[]): number {
  const ranks = doubledRanks([...a, ...b]);
  const observed = sum(ranks.slice(0, a.length));
  const expected = (sum(ranks) * a.length) / ranks.length;
  const distance = Math.abs(observed - expected);
  let [all, asFar] = [0, 0];
  for (const [rankSum, ways] of rankSums(ranks, a.length)) {
    all += ways;
    // Rank sums are whole numbers, but the expected value may end in a half.
    if (Math.abs(rankSum - expected) >= distance - 0.25) asFar += ways;
  }
  return asFar / all;
}

/** The least chance that samples of these sizes can show. */
export function leastChance(a: number, b: number): number {
  const low = Array.from({ length: a }, (_, i) => i);
  const high = Array.from({ length: b }, (_, i) => a + i);
  return rankDifferenceChance(low, high);
}

/** Twice the rank of each value, from 2 on; equal values share the middle of their ranks. */
function doubledRanks(values: readonly number[]): readonly number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}

/** For each sum, the number of ways in which `count` of the ranks add up to it. */
function rankSums(ranks: readonly number[], count: number): ReadonlyMap<number, number> {
  const byCount = Array.from({ length: count + 1 }, () => new Map<number, number>());
  byCount[0]?.set(0, 1);
  for (const rank of ranks) {
    // Greater counts come first, so that no rank is taken twice.
    for (let taken = count; taken >= 1; taken--) {
      const sums = byCount[taken];
      for (const [rankSum, ways] of byCount[taken - 1] ?? []) {
        sums?.set(rankSum + rank, (sums.get(rankSum + rank) ?? 0) + ways);
      }
    }
  }
  return byCount[count] ?? new Map<number, number>();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
