/**
 * Letters for classes in patterns: ASCII, Latin-1 and Latin Extended-A. `\p{L}` has 650 ranges. With
 * it, the automaton of a pattern with a few repeats exceeds RE2's memory, and the search is a
 * hundred times slower.
 */
export const latinLetters = "A-Za-zÀ-ÖØ-öø-ž";
/** Extended-A alternates its cases, so a few small letters are among them. */
export const latinCapitals = "A-ZÀ-ÖØ-ÞĀ-ž";
