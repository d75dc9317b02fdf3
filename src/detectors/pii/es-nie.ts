import { compact } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

const checkLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

export const esNie: EntityDetector = {
  id: "es-nie",
  entityType: "ES_NIE",
  label: "NIE",
  category: "pii",
  description: "A Spanish identity number of a foreigner, by its check letter.",
  keywords: [],
  pattern: String.raw`\b[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z]\b`,
  caseInsensitive: true,
  score: 0.8,
  validate: (value) => {
    const text = compact(value);
    const number = Number(`${"XYZ".indexOf(text.charAt(0))}${text.slice(1, 8)}`);
    return text.endsWith(checkLetters.charAt(number % 23));
  },
  context: {
    words: [
      "nie",
      "extranjero",
      "extranjeros",
      "número de identidad",
      "residencia",
      "identificación",
    ],
    score: 0.95,
  },
  positives: [
    ["NIE X4821390S", "X4821390S"],
    ["y-7731002-A", "y-7731002-A"],
  ],
  negatives: ["NIE X4821390A", "Z1234567Q"],
};
