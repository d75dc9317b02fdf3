import { isShortDate } from "../checksums/calendar.ts";
import { digitAt, digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

export const krFrn: EntityDetector = {
  id: "kr-frn",
  entityType: "KR_FRN",
  label: "FRN",
  category: "pii",
  description:
    "A South Korean foreigner registration number, by its birth date; issued before October 2020, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[5-8]\d{6}\b`,
  score: 0.85,
  validate: (value) => {
    const digits = digitsOf(value);
    const [year, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(
      Number,
    );
    if (!isShortDate(year ?? 0, month ?? 0, day ?? 0)) return false;
    const check = (13 - (weightedSum(digits, weights) % 11)) % 10;
    const fits = check === digitAt(digits, 12);
    if (value === digits) return fits ? 0.6 : 0.2;
    return fits ? 0.85 : 0.55;
  },
  context: {
    words: [
      "frn",
      "외국인등록번호",
      "외국인등록",
      "foreigner registration",
      "foreign registration",
      "alien registration",
    ],
    score: 0.95,
  },
  positives: [["외국인등록번호 840512-5482130", "840512-5482130"]],
  negatives: ["841312-5482130"],
};
