import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const auTfn: EntityDetector = {
  id: "au-tfn",
  entityType: "AU_TFN",
  label: "TFN",
  category: "pii",
  description: "An Australian tax file number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:\d{3} \d{3} \d{3}|\d{9})\b`,
  score: 0.4,
  validate: (value) => {
    const digits = digitsOf(value);
    if (weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 !== 0) return false;
    return !isOneDigitRepeated(digits) && (value === digits ? 0.2 : 0.4);
  },
  context: { words: ["tfn", "tax file number", "tax file", "australian tax"], score: 0.95 },
  positives: [
    ["TFN: 865 414 088", "865 414 088"],
    ["tax file number 865414088", "865414088"],
  ],
  negatives: ["TFN 865 414 080", "reply to 865414088"],
};
