import type { EntityDetector } from "../entity.ts";

/** The values of the characters 0 or A, 1 or B, and so on at the odd places (D.M. 23/12/1976). */
const oddValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

export const itFiscalCode: EntityDetector = {
  id: "it-fiscal-code",
  entityType: "IT_FISCAL_CODE",
  label: "FISCAL_CODE",
  category: "pii",
  description: "An Italian fiscal code, by its control character.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]\b`,
  caseInsensitive: true,
  score: 0.8,
  validate: (value) => {
    const text = value.toUpperCase();
    const sum = [...text.slice(0, 15)].reduce((total, character, index) => {
      const number = Number.parseInt(character, 36);
      const place = number < 10 ? number : number - 10;
      return total + (index % 2 === 0 ? (oddValues[place] ?? 0) : place);
    }, 0);
    return text.charCodeAt(15) === 0x41 + (sum % 26);
  },
  context: {
    words: ["codice fiscale", "cf", "fiscal code", "tessera sanitaria", "tax code"],
    score: 0.97,
  },
  positives: [["Codice fiscale BNCLRA84E48F205L", "BNCLRA84E48F205L"]],
  negatives: ["BNCLRA84E48F2050", "BNCLRA84Z48F205X"],
};
