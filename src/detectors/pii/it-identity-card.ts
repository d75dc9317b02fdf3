import type { EntityDetector } from "../entity.ts";

export const itIdentityCard: EntityDetector = {
  id: "it-identity-card",
  entityType: "IT_IDENTITY_CARD",
  label: "ID_CARD",
  category: "pii",
  description: "An Italian identity card number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:[A-Z]{2} ?\d{7}|\d{7}[A-Z]{2}|[A-Z]{2}\d{5}[A-Z]{2})\b`,
  caseInsensitive: true,
  score: 0.15,
  context: {
    words: [
      "carta d'identità",
      "carta di identità",
      "carta d'identita",
      "carta identità",
      "identità",
      "cie",
      "identity card",
      "id card",
      "documento",
    ],
    score: 0.8,
  },
  positives: [
    ["carta d'identità CA48213HV", "CA48213HV"],
    ["CIE AX 4821390", "AX 4821390"],
  ],
  negatives: ["CA48213HV", "lotto 4821390AX"],
};
