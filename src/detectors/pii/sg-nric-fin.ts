import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const checkLetters: Readonly<Record<string, string>> = {
  S: "JZIHGFEDCBA",
  T: "JZIHGFEDCBA",
  F: "XWUTRQPNMLK",
  G: "XWUTRQPNMLK",
  M: "KLJNPQRTUWX",
};

export const sgNricFin: EntityDetector = {
  id: "sg-nric-fin",
  entityType: "SG_NRIC_FIN",
  label: "NRIC",
  category: "pii",
  description: "A Singaporean identity or foreigner number, by its check letter.",
  keywords: [],
  pattern: String.raw`\b[STFGM]\d{7}[A-Z]\b`,
  caseInsensitive: true,
  score: 0.8,
  validate: (value) => {
    const text = value.toUpperCase();
    const series = text.charAt(0);
    const offset = series === "T" || series === "G" ? 4 : series === "M" ? 3 : 0;
    const remainder = (offset + weightedSum(text.slice(1, 8), [2, 7, 6, 5, 4, 3, 2])) % 11;
    const letters = checkLetters[series];
    // The letters of series M are read backwards.
    const place = series === "M" ? 10 - remainder : remainder;
    return letters?.charAt(place) === text.charAt(8) || 0.35;
  },
  context: {
    words: [
      "nric",
      "fin",
      "nric number",
      "fin number",
      "singapore",
      "identity card",
      "ic number",
      "work permit",
    ],
    score: 0.95,
  },
  positives: [
    ["NRIC S4821395B", "S4821395B"],
    ["FIN G4821394X", "G4821394X"],
  ],
  negatives: ["S4821390Q is a part", "A4821390B"],
};
