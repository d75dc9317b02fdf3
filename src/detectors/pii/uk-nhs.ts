import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const ukNhs: EntityDetector = {
  id: "uk-nhs",
  entityType: "UK_NHS",
  label: "NHS_NUMBER",
  category: "pii",
  description: "A number of the United Kingdom's National Health Service, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(\d{3}[ -]?\d{3}[ -]?\d{4})\b`,
  group: 1,
  score: 0.5,
  validate: (value) => {
    const digits = digitsOf(value);
    const check = 11 - (weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    if (isOneDigitRepeated(digits) || check % 11 !== digitAt(digits, 9)) return false;
    // One in eleven telephone numbers fits too.
    if (value.length < 12) return 0.25;
    return value.includes(" ") ? 0.5 : 0.4;
  },
  context: {
    words: [
      "nhs",
      "nhs number",
      "nhs no",
      "national health",
      "health service",
      "patient",
      "nhsnumber",
    ],
    score: 0.9,
  },
  otherwise: ["phone", "tel", "call", "mobile", "cell", "fax"],
  positives: [
    ["NHS number: 485 777 3457", "485 777 3457"],
    ["patient 4857773457, ward 4", "4857773457"],
  ],
  negatives: ["NHS 485 777 3450", "phone 485 777 3456", "0000000000"],
};
