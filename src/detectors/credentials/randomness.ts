import { relativeEntropy } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import { isTidy, wordShare } from "./words.ts";

const relativeEntropyMin = 0.7;
const wordShareMax = 0.7;

/** Whether a value was drawn rather than written: no placeholder, not monotonous, not words. */
export function looksRandom(value: string): boolean {
  return (
    !isPlaceholder(value) &&
    relativeEntropy(value) >= relativeEntropyMin &&
    wordShare(value) <= wordShareMax &&
    !isTidy(value)
  );
}
