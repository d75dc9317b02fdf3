import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const krBrn: EntityDetector = {
  id: "kr-brn",
  entityType: "KR_BRN",
  label: "BRN",
  category: "pii",
  description: "A South Korean business registration number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:\d{3}-\d{2}-\d{5}|\d{10})\b`,
  score: 0.6,
  validate: (value) => {
    const digits = digitsOf(value);
    const sum =
      weightedSum(digits, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((digitAt(digits, 8) * 5) / 10);
    if ((10 - (sum % 10)) % 10 !== digitAt(digits, 9) || isOneDigitRepeated(digits)) return false;
    return value === digits ? 0.15 : 0.6;
  },
  context: {
    words: [
      "brn",
      "사업자등록번호",
      "사업자번호",
      "사업자등록",
      "business registration",
      "business registration number",
    ],
    score: 0.95,
  },
  positives: [["사업자등록번호 482-13-90757", "482-13-90757"]],
  negatives: ["482-13-90750", "call 4821390751"],
};
