import type { EntityDetector } from "../entity.ts";

export const inPan: EntityDetector = {
  id: "in-pan",
  entityType: "IN_PAN",
  label: "PAN",
  category: "pii",
  description: "An Indian permanent account number: the fourth letter tells whose it is.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{5}\d{4}[A-Z]\b`,
  caseInsensitive: true,
  score: 0.65,
  validate: (value) => {
    if (value.slice(5, 9) === "0000") return false;
    if (!/^.{3}[abcfghjlpt]/i.test(value)) return 0.2;
    return value === value.toUpperCase() || (value === value.toLowerCase() && 0.4);
  },
  context: {
    words: [
      "pan",
      "pan card",
      "pan number",
      "permanent account",
      "permanent account number",
      "income tax",
    ],
    score: 0.95,
  },
  positives: [
    ["PAN BQXPK4821M", "BQXPK4821M"],
    ["pan card: bqxpk4821m", "bqxpk4821m"],
  ],
  negatives: ["BQXDK4821M", "BQXPK0000M", "BQXPK48213"],
};
