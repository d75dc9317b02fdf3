import { isShortDate } from "../checksums/calendar.ts";
import { digitsOf } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

export const zaIdNumber: EntityDetector = {
  id: "za-id-number",
  entityType: "ZA_ID_NUMBER",
  label: "NATIONAL_ID",
  category: "pii",
  description: "A South African identity number, by its birth date and check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ ]?\d{4}[ ]?[01][89]\d\b`,
  score: 0.55,
  validate: (value) => {
    const digits = digitsOf(value);
    const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    return isShortDate(year ?? 0, month ?? 0, day ?? 0) && isLuhn(digits) && 0.55;
  },
  context: {
    words: [
      "south african id",
      "sa id",
      "id number",
      "rsa id",
      "identity number",
      "id no",
      "identiteitsnommer",
    ],
    score: 0.95,
  },
  positives: [["SA ID 8405124821086", "8405124821086"]],
  negatives: ["8405124821080", "8413124821083"],
};
