import type { EntityDetector } from "../entity.ts";

export const ukNino: EntityDetector = {
  id: "uk-nino",
  entityType: "UK_NINO",
  label: "NINO",
  category: "pii",
  description: "A national insurance number of the United Kingdom.",
  keywords: [],
  pattern: String.raw`\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b`,
  caseInsensitive: true,
  score: 0.6,
  validate: (value) => {
    if (/^(?:BG|GB|KN|NK|NT|TN|ZZ)/i.test(value)) return false;
    return value === value.toUpperCase() || 0.4;
  },
  context: {
    words: [
      "nino",
      "ni",
      "ni number",
      "national insurance",
      "national insurance number",
      "insurance number",
      "hmrc",
    ],
    score: 0.9,
  },
  positives: [
    ["NI number: JG 10 37 59 A", "JG 10 37 59 A"],
    ["AB123456C is on the payslip", "AB123456C"],
    ["national insurance ab123456c", "ab123456c"],
  ],
  negatives: ["QQ123456C", "GB123456C", "AB123456E", "DX123456A"],
};
