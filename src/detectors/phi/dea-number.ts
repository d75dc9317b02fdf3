import { digitAt } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const deaNumber: EntityDetector = {
  id: "dea-number",
  entityType: "DEA_NUMBER",
  label: "DEA",
  category: "phi",
  description:
    "A registration of the United States Drug Enforcement Administration, by its check digit.",
  keywords: [],
  // The kind of registrant, the first letter of the name or a 9 for a business, seven digits.
  pattern: String.raw`\b[A-HJ-MPRSTUX][A-Z9]\d{7}\b`,
  caseInsensitive: true,
  score: 0.6,
  validate: (value) => {
    const digits = value.slice(2);
    const odd = digitAt(digits, 0) + digitAt(digits, 2) + digitAt(digits, 4);
    const even = digitAt(digits, 1) + digitAt(digits, 3) + digitAt(digits, 5);
    if ((odd + even * 2) % 10 !== digitAt(digits, 6) || /^0+$/.test(digits)) return false;
    return value === value.toUpperCase() || 0.4;
  },
  context: {
    words: [
      "dea",
      "dea number",
      "prescriber",
      "registration",
      "controlled",
      "physician",
      "license",
    ],
    score: 0.95,
  },
  otherwise: ["passport", "flight"],
  positives: [["DEA# BH4821395", "BH4821395"]],
  negatives: ["DEA BH4821390", "passport BH4821391", "NH4821395"],
};
