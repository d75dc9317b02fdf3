import { digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const auAbn: EntityDetector = {
  id: "au-abn",
  entityType: "AU_ABN",
  label: "ABN",
  category: "pii",
  description: "An Australian business number, by its check digits.",
  keywords: [],
  pattern: String.raw`\b(?:\d{2} \d{3} \d{3} \d{3}|\d{2}-\d{3}-\d{3}-\d{3}|\d{11})\b`,
  score: 0.6,
  validate: (value) => {
    const digits = digitsOf(value);
    const sum = weightedSum(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
    if (digits.startsWith("0") || (sum - 10) % 89 !== 0) return false;
    return value === digits ? 0.45 : 0.6;
  },
  context: { words: ["abn", "australian business number", "business number", "abr"], score: 0.95 },
  positives: [
    ["ABN 38 617 200 513", "38 617 200 513"],
    ["australian business number 38617200513", "38617200513"],
  ],
  negatives: ["ABN 53 004 085 600", "call 53004085600"],
};
