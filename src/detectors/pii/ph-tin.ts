import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const phTin: EntityDetector = {
  id: "ph-tin",
  entityType: "PH_TIN",
  label: "TAX_ID",
  category: "pii",
  description: "A Philippine tax identification number beside a word for it.",
  keywords: [],
  pattern:
    String.raw`\b\d{3}-\d{3}-\d{3}-(?:\d{1,2}|\d{6,20})\b|` +
    String.raw`\b(\d{3}[- ]\d{3}[- ]\d{3}(?:[- ]\d{3,5})?|\d{9}(?:\d{3}|\d{5})?)\b`,
  group: 1,
  score: 0.3,
  validate: (value) => !isOneDigitRepeated(digitsOf(value)) && (value.includes("-") ? 0.3 : 0.1),
  context: {
    words: ["tin", "tin number", "bir", "tax identification", "taxpayer identification"],
    score: 0.8,
  },
  positives: [["TIN 482-139-075-000", "482-139-075-000"]],
  negatives: ["482-139-075-000", "BIR form 482139"],
};
