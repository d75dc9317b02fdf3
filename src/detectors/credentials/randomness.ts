import { relativeEntropy } from "./entropy.ts";
import { isPlaceholder } from "./placeholder.ts";
import { isSequence } from "./sequence.ts";
import { isTidy, wordShare } from "./words.ts";

const relativeEntropyMin = 0.6;
const wordShareMax = 0.7;

/** Whether a value looks random: it is no sequence, and `mayBeRandom` holds. */
export function looksRandom(value: string): boolean {
  return !isSequence(value) && mayBeRandom(value);
}

/** Whether a value is no placeholder, not monotonous and not made of words. */
export function mayBeRandom(value: string): boolean {
  return (
    !isPlaceholder(value) &&
    relativeEntropy(value) >= relativeEntropyMin &&
    wordShare(value) <= wordShareMax &&
    !isTidy(value)
  );
}
