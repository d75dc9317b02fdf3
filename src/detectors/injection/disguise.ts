/** Ways to write a letter as something else that honest texts seldom have. */
export const disguise = { leet: 1, lookalike: 2, spaced: 3, escaped: 4 } as const;

/** At these numbers of disguised letters a text gets one more sign, for each way to disguise them. */
const steps = [1, 3, 8];
/** The signs' numbers begin behind those of `mark` in features.ts. */
const firstSign = 7;
/** The highest number of signs. */
export const disguiseSignsMax = steps.length * Object.keys(disguise).length;

/** Numbers of the signs of units `start` to `end`, given how each of them was disguised. */
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
