import type { EntityDetector } from "../entity.ts";

export const bareYear: EntityDetector = {
  id: "bare-year",
  entityType: "DATE_TIME",
  label: "DATE",
  category: "pii",
  description: "A year of the last or this century beside an event of a life.",
  keywords: [],
  pattern: String.raw`\b(?:[Yy]ear )?(?:19|20)\d{2}\b`,
  // In most texts a year says nothing about a person, so its score is below the default threshold.
  score: 0.2,
  context: {
    words: ["born", "graduated", "married", "divorced", "hired", "retired", "enrolled", "died"],
    score: 0.55,
  },
  positives: [["She was born in 1972.", "1972"]],
  negatives: ["built in 1972", "the year 2031"],
};
