import type { EntityDetector } from "../entity.ts";

export const usPassport: EntityDetector = {
  id: "us-passport",
  entityType: "US_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "A United States passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:[A-Z]\d{8}|\d{9})\b`,
  caseInsensitive: true,
  score: 0.1,
  context: {
    words: [
      "passport",
      "passports",
      "passport number",
      "passport no",
      "travel document",
      "us passport",
    ],
    score: 0.7,
  },
  otherwise: ["ssn", "order", "phone"],
  positives: [
    ["passport number 548821907", "548821907"],
    ["US passport A54882190", "A54882190"],
  ],
  negatives: ["548821907", "order A54882190", "passport photo"],
};
