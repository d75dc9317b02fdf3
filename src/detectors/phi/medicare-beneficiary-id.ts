import type { EntityDetector } from "../entity.ts";

/** No S, L, O, I, B and Z, which look like digits (CMS, Understanding the MBI format). */
const letter = "[AC-HJKMNP-RT-Y]";
const either = "[0-9AC-HJKMNP-RT-Y]";

export const medicareBeneficiaryId: EntityDetector = {
  id: "medicare-beneficiary-id",
  entityType: "MEDICARE_BENEFICIARY_ID",
  label: "MEDICARE_ID",
  category: "phi",
  description: "A beneficiary identifier of United States Medicare, with or without hyphens.",
  keywords: [],
  pattern: String.raw`\b[1-9]${letter}${either}\d[ -]?${letter}${either}\d[ -]?${letter}{2}\d{2}\b`,
  caseInsensitive: true,
  score: 0.8,
  validate: (value) => {
    if (value !== value.toUpperCase()) return 0.3;
    return value.includes("-") || 0.5;
  },
  context: {
    words: ["medicare", "mbi", "beneficiary", "cms", "medicare number", "medicare id", "patient"],
    score: 0.95,
  },
  positives: [
    ["Medicare 4HT7-KQ2-WY81", "4HT7-KQ2-WY81"],
    ["MBI 4HT7KQ2WY81.", "4HT7KQ2WY81"],
  ],
  negatives: ["4ST7-KQ2-WY81", "0HT7-KQ2-WY81", "4HT7-KQ2-W181"],
};
