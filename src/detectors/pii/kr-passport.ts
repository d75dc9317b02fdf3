import type { EntityDetector } from "../entity.ts";

export const krPassport: EntityDetector = {
  id: "kr-passport",
  entityType: "KR_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "A South Korean passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[MSROD](?:\d{8}|\d{3}[A-Z]\d{4})\b`,
  caseInsensitive: true,
  score: 0.35,
  validate: (value) => (/^.\d{3}[A-Z]/i.test(value) ? 0.35 : 0.1),
  context: { words: ["여권", "여권번호", "korean passport"], score: 0.75 },
  positives: [
    ["여권번호 M482A1390", "M482A1390"],
    ["Korean passport M48213907", "M48213907"],
  ],
  negatives: ["M48213907", "part M482A1390", "여권번호 A482A1390"],
};
