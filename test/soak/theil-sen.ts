/** One value at one time. */
export interface Sample {
  readonly at: number;
  readonly value: number;
}

/** A slope with its 95 % interval, in the values' unit per unit of time. */
export interface Slope {
  readonly slope: number;
  readonly lower: number;
  readonly upper: number;
}

const z95 = 1.959964;

/**
 * The Theil–Sen slope: the median of the slopes of all pairs, which a few odd samples can't move, with
 * the interval that Sen derives from Kendall's statistic. The interval takes samples for independent of
 * each other; see `inBins`. Null: fewer than three samples tell nothing.
 */
export function theilSen(samples: readonly Sample[]): Slope | null {
  const n = samples.length;
  if (n < 3) return null;
  const slopes: number[] = [];
  for (const [i, earlier] of samples.entries()) {
    for (const later of samples.slice(i + 1)) {
      if (later.at !== earlier.at) {
        slopes.push((later.value - earlier.value) / (later.at - earlier.at));
      }
    }
  }
  slopes.sort((a, b) => a - b);
  const deviation = z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (index: number): number =>
    slopes[Math.min(Math.max(Math.round(index), 0), slopes.length - 1)] ?? NaN;
  return {
    slope: medianOfSorted(slopes),
    lower: at((slopes.length - deviation) / 2 - 1),
    upper: at((slopes.length + deviation) / 2),
  };
}

/**
 * The median of each span of `width`. Neighbouring samples of a process's memory are not independent:
 * one collection of garbage shapes many of them, which would make the interval too narrow.
 */
export function inBins(samples: readonly Sample[], width: number): readonly Sample[] {
  const bins = Map.groupBy(samples, ({ at }) => Math.floor(at / width));
  return [...bins].map(([bin, members]) => ({
    at: (bin + 0.5) * width,
    value: medianOfSorted(members.map(({ value }) => value).sort((a, b) => a - b)),
  }));
}

function medianOfSorted(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
