import type { EntityDetector } from "../entity.ts";

export const monthYear: EntityDetector = {
  id: "month-year",
  entityType: "DATE_TIME",
  label: "DATE",
  category: "pii",
  description: "A month and a year in digits beside a word for a date.",
  keywords: ["/", "-"],
  // The first branch matches complete dates and fractions, without a value.
  pattern: String.raw`\b\d+(?:[/-]\d+){2,8}|\b((?:0?[1-9]|1[0-2])/(?:(?:19|20)\d{2}|\d{2})|(?:19|20)\d{2}-(?:0[1-9]|1[0-2]))\b`,
  group: 1,
  score: 0.3,
  validate: (value) => /\d{4}/.test(value) || 0.1,
  context: {
    words: ["exp", "expires", "expiry", "expiration", "valid", "since", "until", "month", "date"],
    score: 0.55,
  },
  positives: [
    ["expires 09/2031.", "09/2031"],
    ["exp 9/31", "9/31"],
    ["valid until 2031-09", "2031-09"],
  ],
  negatives: ["9/2031", "1/2", "13/2031", "parts 09/04/77/2031 since"],
};
