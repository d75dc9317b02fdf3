import { isShortDate } from "../checksums/calendar.ts";
import { digitAt, digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

export const krRrn: EntityDetector = {
  id: "kr-rrn",
  entityType: "KR_RRN",
  label: "RRN",
  category: "pii",
  description:
    "A South Korean resident registration number, by its birth date; issued before October 2020, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[1-4]\d{6}\b`,
  score: 0.85,
  validate: (value) => {
    const digits = digitsOf(value);
    const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    if (!isShortDate(year ?? 0, month ?? 0, day ?? 0)) return false;
    const check = (11 - (weightedSum(digits, weights) % 11)) % 10;
    const fits = check === digitAt(digits, 12);
    if (value === digits) return fits ? 0.6 : 0.2;
    return fits ? 0.85 : 0.55;
  },
  context: {
    words: [
      "rrn",
      "주민등록번호",
      "주민번호",
      "주민등록",
      "resident registration",
      "resident registration number",
      "korean id",
    ],
    score: 0.95,
  },
  positives: [
    ["주민등록번호 840512-1482137", "840512-1482137"],
    ["RRN 8405121482137", "8405121482137"],
  ],
  negatives: ["841312-1482130", "840512-9482130"],
};
