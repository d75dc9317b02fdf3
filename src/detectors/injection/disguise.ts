/** Ways to write a letter as something else, which are rare in honest texts. */
export const disguise = { leet: 1, lookalike: 2, spaced: 3, escaped: 4 } as const;

/**
 * For each way to disguise letters, a text gets one more sign at each of these numbers of disguised
 * letters.
 */
const steps = [1, 3, 8];
/** The first number of these signs. It comes after the numbers of `mark` in features.ts. */
const firstSign = 7;
/** The highest number of signs. */
export const disguiseSignsMax = steps.length * Object.keys(disguise).length;

/**
 * The numbers of the signs for units `start` to `end`. `disguises` says how each unit was
 * disguised.
 */
export function disguiseSigns(disguises: Uint8Array, start: number, end: number): number[] {
  const counts = new Int32Array(Object.keys(disguise).length + 1);
  for (let at = start; at < end; at++) {
    const how = disguises[at] ?? 0;
    counts[how] = (counts[how] ?? 0) + 1;
  }
  return Object.values(disguise).flatMap((how) =>
    steps.flatMap((least, step) =>
      (counts[how] ?? 0) < least ? [] : [firstSign + how * steps.length + step],
    ),
  );
}
