import { isShortDate } from "../checksums/calendar.ts";
import { digitAt, digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const noBirthNumber: EntityDetector = {
  id: "no-birth-number",
  entityType: "NO_BIRTH_NUMBER",
  label: "PERSONAL_ID",
  category: "pii",
  description: "A Norwegian birth or D-number, by its birth date and both check digits.",
  keywords: [],
  pattern: String.raw`\b(?:[04][1-9]|[1256]\d|[37][01])(?:0[1-9]|1[0-2])\d{2} ?\d{5}\b`,
  score: 0.55,
  validate: (value) => {
    const digits = digitsOf(value);
    const [day, month, year] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    // A D-number has 40 added to the day.
    if (!isShortDate(year ?? 0, month ?? 0, (day ?? 0) % 40)) return false;
    const first = (11 - (weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
    const second = (11 - (weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    return first === digitAt(digits, 9) && second === digitAt(digits, 10) && 0.55;
  },
  context: {
    words: ["fødselsnummer", "fodselsnummer", "personnummer", "d-nummer", "fnr", "norwegian id"],
    score: 0.95,
  },
  positives: [
    ["fødselsnummer 120584 48255", "120584 48255"],
    ["fnr 12058448174", "12058448174"],
  ],
  negatives: ["120584 48200", "fnr 12058448200"],
};
