import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const nlBsn: EntityDetector = {
  id: "nl-bsn",
  entityType: "NL_BSN",
  label: "BSN",
  category: "pii",
  description: "A Dutch citizen service number, by the test of eleven.",
  keywords: [],
  pattern: String.raw`\b(?:\d{9}|\d{4}\.\d{2}\.\d{3}|\d{3} \d{3} \d{3})\b`,
  score: 0.25,
  validate: (value) => {
    const digits = digitsOf(value);
    const fits = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
    return fits && !isOneDigitRepeated(digits) && 0.2;
  },
  context: {
    words: [
      "bsn",
      "burgerservicenummer",
      "sofinummer",
      "sofi-nummer",
      "sofi",
      "burger service nummer",
      "citizen service number",
    ],
    score: 0.95,
  },
  positives: [["BSN 482139079", "482139079"]],
  negatives: ["BSN 482139070", "order 482139071"],
};
