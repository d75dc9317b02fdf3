import type { EntityDetector } from "../entity.ts";

export const inPassport: EntityDetector = {
  id: "in-passport",
  entityType: "IN_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "An Indian passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-PR-WY][1-9]\d ?\d{4}[1-9]\b`,
  caseInsensitive: true,
  score: 0.2,
  context: {
    words: ["passport", "passport number", "indian passport", "travel document", "पासपोर्ट"],
    score: 0.75,
  },
  positives: [["Passport No: K4821397", "K4821397"]],
  negatives: ["K4821397", "model Q4821397"],
};
