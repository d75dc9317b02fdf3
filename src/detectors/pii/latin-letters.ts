/**
 * Letters for classes in patterns: ASCII, Latin-1 and Latin Extended-A. `\p{L}` has 650 ranges, with
 * which a pattern of a few repeats outgrows RE2's automaton, and is searched at a hundredth of the
 * speed.
 */
export const latinLetters = "A-Za-zÀ-ÖØ-öø-ž";
/** Extended-A alternates its cases, so a few small letters are among them. */
export const latinCapitals = "A-ZÀ-ÖØ-ÞĀ-ž";
