import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const auMedicare: EntityDetector = {
  id: "au-medicare",
  entityType: "AU_MEDICARE",
  label: "MEDICARE",
  category: "pii",
  description: "A number on an Australian Medicare card, by its check digit.",
  keywords: [],
  pattern: String.raw`\b[2-6](?:\d{3} \d{5} \d(?: ?\d)?|\d{3}-\d{5}-\d(?:-\d)?|\d{9,10})\b`,
  score: 0.5,
  validate: (value) => {
    const digits = digitsOf(value);
    const check = weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10;
    if (check !== digitAt(digits, 8) || isOneDigitRepeated(digits)) return false;
    return value === digits ? 0.2 : 0.5;
  },
  context: { words: ["medicare", "medicare card", "medicare number", "medicare no"], score: 0.95 },
  positives: [
    ["Medicare card 2428 77813 1", "2428 77813 1"],
    ["medicare 2428778131", "2428778131"],
  ],
  negatives: ["medicare 2428 77810 1", "id 2428778131"],
};
