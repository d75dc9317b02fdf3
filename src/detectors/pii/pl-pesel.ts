import { isShortDate } from "../checksums/calendar.ts";
import { digitAt } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const plPesel: EntityDetector = {
  id: "pl-pesel",
  entityType: "PL_PESEL",
  label: "PESEL",
  category: "pii",
  description: "A Polish PESEL number, by its birth date and check digit.",
  keywords: [],
  pattern: String.raw`\b\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])\d{5}\b`,
  score: 0.45,
  validate: (value) => {
    const check = (10 - (weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
    const month = Number(value.slice(2, 4)) % 20;
    const exists = isShortDate(Number(value.slice(0, 2)), month, Number(value.slice(4, 6)));
    return exists && check === digitAt(value, 10) && 0.45;
  },
  context: {
    words: ["pesel", "numer pesel", "dowód", "dowod", "ewidencyjny", "polish id"],
    score: 0.95,
  },
  positives: [["PESEL 84051248213", "84051248213"]],
  negatives: ["PESEL 84051248210", "84133148217"],
};
