import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const dePracticeNumber: EntityDetector = {
  id: "de-practice-number",
  entityType: "DE_BSNR",
  label: "PRACTICE_NUMBER",
  category: "pii",
  description: "A German medical practice number, by its region.",
  keywords: [],
  pattern: String.raw`\b(?:0[1-3]|17|20|21|27|3[5-8]|39|4[0-9]|5[0-2]|6[0-9]|7[1-4]|78|79|8[0-9]|9[3-9])\d{7}\b`,
  score: 0.1,
  validate: (value) => !isOneDigitRepeated(value),
  context: {
    words: [
      "bsnr",
      "betriebsstättennummer",
      "betriebsstaettennummer",
      "betriebsstätte",
      "practice number",
    ],
    score: 0.9,
  },
  positives: [["BSNR: 721134400", "721134400"]],
  negatives: ["721134400", "BSNR 001134400"],
};
