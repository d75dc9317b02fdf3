import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const dePhysicianNumber: EntityDetector = {
  id: "de-physician-number",
  entityType: "DE_LANR",
  label: "PHYSICIAN_NUMBER",
  category: "pii",
  description: "A German physician number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{7}[ -]?\d{2}\b`,
  score: 0.2,
  validate: (written) => {
    const value = digitsOf(written);
    const check = (10 - (weightedSum(value, [4, 9, 4, 9, 4, 9]) % 10)) % 10;
    return check === digitAt(value, 6) && !isOneDigitRepeated(value) && 0.2;
  },
  context: {
    words: [
      "lanr",
      "arztnummer",
      "lebenslange arztnummer",
      "arzt-nr",
      "arztnr",
      "physician number",
    ],
    score: 0.95,
  },
  positives: [["LANR 482193201", "482193201"]],
  negatives: ["LANR 482193001", "482193501"],
};
