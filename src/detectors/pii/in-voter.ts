import type { EntityDetector } from "../entity.ts";

export const inVoter: EntityDetector = {
  id: "in-voter",
  entityType: "IN_VOTER",
  label: "VOTER_ID",
  category: "pii",
  description: "An Indian voter card number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{3}\d{7}\b`,
  caseInsensitive: true,
  score: 0.35,
  context: {
    words: ["voter", "voter id", "epic", "election", "electoral", "elector", "election card"],
    score: 0.85,
  },
  positives: [["voter id KXB4821390", "KXB4821390"]],
  negatives: ["KXB4821390", "ticket ABC1234567"],
};
