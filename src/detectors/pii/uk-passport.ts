import type { EntityDetector } from "../entity.ts";

export const ukPassport: EntityDetector = {
  id: "uk-passport",
  entityType: "UK_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "A United Kingdom passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:[A-Z]{2}\d{7}|\d{9})\b`,
  caseInsensitive: true,
  score: 0.1,
  context: {
    words: [
      "uk passport",
      "british passport",
      "passport",
      "passport number",
      "hmpo",
      "travel document",
    ],
    score: 0.65,
  },
  positives: [
    ["British passport KT5333806", "KT5333806"],
    ["passport no. AZ1234567", "AZ1234567"],
  ],
  negatives: ["533380006", "flight AZ1234567"],
};
