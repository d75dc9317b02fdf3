import type { EntityDetector } from "../entity.ts";
import { isNumericDate, numericDate, timeOfDay } from "./date-patterns.ts";

export const numericDateDetector: EntityDetector = {
  id: "numeric-date",
  entityType: "DATE_TIME",
  label: "DATE",
  category: "pii",
  description: "A calendar date in digits, with the time of day where one follows.",
  keywords: [],
  // The first branch matches longer runs of numbers, without a value: versions, serial numbers,
  // telephone numbers.
  pattern: String.raw`\b\d+(?:[.-]\d+){3,32}|(${numericDate}${timeOfDay})\b`,
  group: 1,
  score: 0.6,
  validate: (value) => {
    if (!isNumericDate(value)) return false;
    // 1.2.03 may be a version, 10-12-15 a list.
    return /\d{4}/.test(value) || (value.includes("/") ? 0.5 : 0.3);
  },
  context: {
    words: ["date", "dated", "on", "since", "until", "by", "am", "le", "datum", "fecha", "data"],
    score: 0.6,
  },
  otherwise: ["version", "release", "ipv4"],
  positives: [
    ["due 2031-04-09.", "2031-04-09"],
    ["at 2031-04-09T17:05:00Z, ok", "2031-04-09T17:05:00Z"],
    ["stamp 20310409T170500Z", "20310409T170500Z"],
    ["on 9/4/2031 or", "9/4/2031"],
    ["am 09.04.2031", "09.04.2031"],
    ["dated 04-09-31", "04-09-31"],
  ],
  negatives: ["2031-13-45", "version 4.9.31", "31/31/2031", "10.4.3.2031", "ratio 1/2/3"],
};
