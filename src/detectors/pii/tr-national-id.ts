import { digitAt } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const trNationalId: EntityDetector = {
  id: "tr-national-id",
  entityType: "TR_NATIONAL_ID",
  label: "NATIONAL_ID",
  category: "pii",
  description: "A Turkish identity number, by its check digits.",
  keywords: [],
  pattern: String.raw`\b[1-9]\d{10}\b`,
  score: 0.45,
  validate: (value) => {
    const odd = weightedSum(value, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
    const even = weightedSum(value, [0, 1, 0, 1, 0, 1, 0, 1]);
    if ((((odd * 7 - even) % 10) + 10) % 10 !== digitAt(value, 9)) return false;
    return (odd + even + digitAt(value, 9)) % 10 === digitAt(value, 10) && 0.45;
  },
  context: {
    words: [
      "tc",
      "t.c",
      "tckn",
      "kimlik",
      "kimlik no",
      "kimlik numarası",
      "tc kimlik",
      "vatandaşlık",
      "turkish id",
    ],
    score: 0.95,
  },
  positives: [["TC kimlik no 48213907464", "48213907464"]],
  negatives: ["TC 48213907400", "02139074832"],
};
