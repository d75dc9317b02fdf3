import { isShortDate } from "../checksums/calendar.ts";
import { digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const dkCpr: EntityDetector = {
  id: "dk-cpr",
  entityType: "DK_CPR",
  label: "PERSONAL_ID",
  category: "pii",
  description: "A Danish civil registration number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}[- ]?\d{4}\b`,
  score: 0.55,
  validate: (value) => {
    const digits = digitsOf(value);
    const [day, month, year] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    if (!isShortDate(year ?? 0, month ?? 0, day ?? 0)) return false;
    // Since 2007, not all numbers pass the modulus 11 check.
    const fits = weightedSum(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
    return value.includes("-") && fits ? 0.55 : 0.25;
  },
  context: {
    words: [
      "cpr",
      "cpr-nummer",
      "cpr-nr",
      "cpr nummer",
      "personnummer",
      "danish id",
      "civil registration",
    ],
    score: 0.9,
  },
  positives: [["CPR-nummer 120584-4821", "120584-4821"]],
  negatives: ["order 1205844821", "CPR 321384-4821"],
};
