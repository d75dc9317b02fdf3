import { digitsOf } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

/** Federal Reserve districts, thrifts, electronic transactions, traveler's cheques. */
const prefix = /^(?:0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/;

export const abaRoutingNumber: EntityDetector = {
  id: "aba-routing-number",
  entityType: "ABA_ROUTING_NUMBER",
  label: "ROUTING_NUMBER",
  category: "pii",
  description: "A bank routing number of the American Bankers Association, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:\d{9}|\d{4}-\d{4}-\d)\b`,
  score: 0.5,
  validate: (value) => {
    const digits = digitsOf(value);
    if (!prefix.test(digits) || weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 !== 0)
      return false;
    return digits !== "000000000" && (digits === value ? 0.3 : 0.5);
  },
  context: {
    words: [
      "aba",
      "routing",
      "routing number",
      "rtn",
      "transit",
      "bank",
      "banking",
      "wire",
      "ach",
      "direct deposit",
    ],
    score: 0.9,
  },
  positives: [["ABA routing 021033111", "021033111"]],
  negatives: ["routing 021033110", "serial 990000000", "ticket 021000021"],
};
