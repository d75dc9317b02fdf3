import type { EntityDetector } from "../entity.ts";

export const usItin: EntityDetector = {
  id: "us-itin",
  entityType: "US_ITIN",
  label: "ITIN",
  category: "pii",
  description: "A United States individual taxpayer identification number.",
  keywords: [],
  pattern: String.raw`\b9\d{2}[ -]?(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[ -]?\d{4}\b`,
  score: 0.55,
  validate: (value) => /^\d+([ -])\d+\1\d+$/.test(value) || 0.2,
  context: {
    words: [
      "itin",
      "itins",
      "individual taxpayer",
      "taxpayer",
      "tax id",
      "tax identification",
      "tin",
      "ssn",
    ],
    score: 0.9,
  },
  positives: [
    ["ITIN 912-71-4403", "912-71-4403"],
    ["her individual taxpayer number: 912714403", "912714403"],
  ],
  negatives: ["912-13-4403", "order 912714403", "812-71-4403"],
};
