import { compact, digitAt } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const deSocialSecurity: EntityDetector = {
  id: "de-social-security",
  entityType: "DE_SOCIAL_SECURITY",
  label: "SOCIAL_SECURITY",
  category: "pii",
  description: "A German pension insurance number, by its birth date and check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2} ?(?:0[1-9]|[12]\d|3[01]|[5-7]\d|8[01])(?:0[1-9]|1[0-2])\d{2} ?[A-Z] ?\d{3}\b`,
  caseInsensitive: true,
  score: 0.75,
  validate: (value) => {
    const text = compact(value);
    const letter = text.charCodeAt(8) - 0x40;
    const digits = `${text.slice(0, 8)}${String(letter).padStart(2, "0")}${text.slice(9)}`;
    let sum = 0;
    for (const [index, weight] of [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].entries()) {
      const product = weight * digitAt(digits, index);
      sum += Math.floor(product / 10) + (product % 10);
    }
    return sum % 10 === digitAt(digits, 12) && 0.75;
  },
  context: {
    words: [
      "rentenversicherungsnummer",
      "sozialversicherungsnummer",
      "versicherungsnummer",
      "rvnr",
      "svnr",
      "sv-nummer",
      "rentenversicherung",
      "sozialversicherung",
      "sozialversicherungsausweis",
      "social security",
    ],
    score: 0.95,
  },
  positives: [
    ["RVNR 65 120489 K 413", "65 120489 K 413"],
    ["Sozialversicherungsnummer: 65120489K413", "65120489K413"],
  ],
  negatives: ["RVNR 65120489K410", "65139989K413"],
};
