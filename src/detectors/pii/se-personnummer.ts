import { isShortDate } from "../checksums/calendar.ts";
import { digitsOf } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

export const sePersonnummer: EntityDetector = {
  id: "se-personnummer",
  entityType: "SE_PERSONNUMMER",
  label: "PERSONAL_ID",
  category: "pii",
  description: "A Swedish personal or coordination number, by its birth date and check digit.",
  keywords: [],
  pattern: String.raw`\b(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]|6[1-9]|[78]\d|9[01])[-+ ]?\d{4}\b`,
  score: 0.7,
  validate: (value) => {
    const digits = digitsOf(value).slice(-10);
    const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    // A coordination number has 60 added to the day.
    if (!isShortDate(year ?? 0, month ?? 0, (day ?? 0) % 60) || !isLuhn(digits)) return false;
    if (/[-+]/.test(value)) return 0.7;
    return value.length === 12 ? 0.55 : 0.45;
  },
  context: {
    words: [
      "personnummer",
      "samordningsnummer",
      "pnr",
      "personal number",
      "swedish id",
      "personnr",
      "födelsenummer",
    ],
    score: 0.95,
  },
  positives: [
    ["personnummer 840512-4820", "840512-4820"],
    ["198405124820", "198405124820"],
  ],
  negatives: ["840512-4821", "841312-4823"],
};
