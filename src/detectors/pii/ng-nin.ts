import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const ngNin: EntityDetector = {
  id: "ng-nin",
  entityType: "NG_NIN",
  label: "NATIONAL_ID",
  category: "pii",
  description: "A Nigerian national identification number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:\d{11}|\d{4}[ -]\d{3}[ -]\d{4})\b`,
  score: 0.05,
  validate: (value) => !isOneDigitRepeated(value) && 0.05,
  context: {
    words: [
      "nin",
      "nimc",
      "national identification number",
      "national identity number",
      "nigerian id",
      "national identity",
    ],
    score: 0.85,
  },
  positives: [["NIN 48213907548", "48213907548"]],
  negatives: ["48213907548", "NIN 00000000000"],
};
