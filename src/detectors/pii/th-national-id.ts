import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const thNationalId: EntityDetector = {
  id: "th-national-id",
  entityType: "TH_TNIN",
  label: "NATIONAL_ID",
  category: "pii",
  description: "A Thai identity number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b[1-8](?:-\d{4}-\d{5}-\d{2}-\d| \d{4} \d{5} \d{2} \d|\d{12})\b`,
  score: 0.7,
  validate: (value) => {
    const digits = digitsOf(value);
    const check = (11 - (weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10;
    // The second and third digits are the province, 10 to 96.
    const province = Number(digits.slice(1, 3));
    if (check !== digitAt(digits, 12) || province < 10 || province > 96) return false;
    return !isOneDigitRepeated(digits) && (value === digits ? 0.35 : 0.7);
  },
  context: {
    words: [
      "เลขประจำตัวประชาชน",
      "บัตรประชาชน",
      "thai id",
      "national id",
      "tnin",
      "citizen id",
      "id card",
      "thai national id",
    ],
    score: 0.95,
  },
  positives: [
    ["Thai ID 1-4821-39075-48-4", "1-4821-39075-48-4"],
    ["national id 1482139075484", "1482139075484"],
  ],
  negatives: ["1-4821-39075-48-0", "epoch 1700000000000"],
};
