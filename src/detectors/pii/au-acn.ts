import { digitAt, digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const auAcn: EntityDetector = {
  id: "au-acn",
  entityType: "AU_ACN",
  label: "ACN",
  category: "pii",
  description: "An Australian company number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:\d{3} \d{3} \d{3}|\d{9})\b`,
  score: 0.4,
  validate: (value) => {
    const digits = digitsOf(value);
    const check = (10 - (weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10;
    if (check !== digitAt(digits, 8)) return false;
    return value === digits ? 0.2 : 0.4;
  },
  context: { words: ["acn", "australian company number", "company number", "asic"], score: 0.95 },
  positives: [["ACN 005 749 986", "005 749 986"]],
  negatives: ["ACN 005 749 980", "total 005749986"],
};
