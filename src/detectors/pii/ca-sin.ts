import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

export const caSin: EntityDetector = {
  id: "ca-sin",
  entityType: "CA_SIN",
  label: "SIN",
  category: "pii",
  description: "A Canadian social insurance number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d+(?:[-.]\d+){3,32}|\b([1-79]\d{2}[ .-]?\d{3}[ .-]?\d{3})\b`,
  group: 1,
  score: 0.5,
  validate: (value) => {
    const digits = digitsOf(value);
    if (!isLuhn(digits) || isOneDigitRepeated(digits)) return false;
    if (value === digits || !/^\d{3}[ -]\d{3}[ -]/.test(value)) return 0.2;
    return value.includes("-") ? 0.5 : 0.4;
  },
  context: {
    words: [
      "sin",
      "sin number",
      "social insurance",
      "social insurance number",
      "nas",
      "numéro d'assurance sociale",
      "assurance sociale",
    ],
    score: 0.95,
  },
  positives: [
    ["SIN 130 692 544", "130 692 544"],
    ["social insurance number: 130-692-544", "130-692-544"],
    ["sin: 130692544", "130692544"],
  ],
  negatives: ["SIN 130 692 540", "total 130692544", "SIN 830 692 547"],
};
