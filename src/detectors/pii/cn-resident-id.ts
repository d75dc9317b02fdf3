import { isCalendarDate } from "../checksums/calendar.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

export const cnResidentId: EntityDetector = {
  id: "cn-resident-id",
  entityType: "CN_RESIDENT_ID",
  label: "RESIDENT_ID",
  category: "pii",
  description: "A Chinese resident identity number, by its region, birth date and check character.",
  keywords: [],
  // The province, the district, the birth date, a serial number.
  pattern:
    String.raw`\b(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)\d{4}(?:19|20)\d{2}` +
    String.raw`(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]\b`,
  score: 0.85,
  validate: (value) =>
    isCalendarDate(
      Number(value.slice(6, 10)),
      Number(value.slice(10, 12)),
      Number(value.slice(12, 14)),
    ) && "10X98765432".charAt(weightedSum(value, weights) % 11) === value.charAt(17).toUpperCase(),
  context: {
    words: ["身份证", "身份证号", "公民身份号码", "resident id", "chinese id", "identity card"],
    score: 0.97,
  },
  positives: [
    ["身份证号：510104199104093275", "510104199104093275"],
    ["resident ID 440305198207155111", "440305198207155111"],
  ],
  negatives: ["510104199104093276", "510104199113093275", "订单号 202405140001234567"],
};
