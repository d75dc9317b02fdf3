import type { EntityDetector } from "../entity.ts";

export const itPassport: EntityDetector = {
  id: "it-passport",
  entityType: "IT_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "An Italian passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{2} ?\d{7}\b`,
  caseInsensitive: true,
  score: 0.1,
  context: { words: ["passaporto", "italian passport", "numero passaporto"], score: 0.7 },
  positives: [["passaporto YA4821390", "YA4821390"]],
  negatives: ["YA4821390", "order YA4821390"],
};
