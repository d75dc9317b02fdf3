import type { EntityDetector } from "../entity.ts";
import { namedDate } from "./date-patterns.ts";

export const namedDateDetector: EntityDetector = {
  id: "named-date",
  entityType: "DATE_TIME",
  label: "DATE",
  category: "pii",
  description: "A calendar date with the name of its month, in seven languages.",
  keywords: [],
  pattern: namedDate,
  score: 0.6,
  // Apr-31 and 31-Apr are a day or a year, or a part number.
  validate: (value) => !/^(?:\p{L}+[.]?-\d{2}|\d{1,2}-\p{L}+)$/u.test(value) || 0.3,
  positives: [
    ["on April 9, 2031 we", "April 9, 2031"],
    ["the 9th of April 2031.", "9th of April 2031"],
    ["Wednesday, 9 April 2031", "Wednesday, 9 April 2031"],
    ["since April 2031", "April 2031"],
    ["09-Apr-2031", "09-Apr-2031"],
    ["am 9. April 2031", "9. April 2031"],
    ["le 9 février 2031", "9 février 2031"],
    ["el 9 de abril de 2031", "9 de abril de 2031"],
  ],
  negatives: ["you may 5 times", "march 10 miles", "in April", "Mayor 2031 plan", "April 2031st"],
};
