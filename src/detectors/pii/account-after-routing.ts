import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const accountAfterRouting: EntityDetector = {
  id: "account-after-routing",
  entityType: "US_BANK_NUMBER",
  label: "BANK_ACCOUNT",
  category: "pii",
  description: "The number of an account after the number of its bank.",
  keywords: ["routing", "sort code", "sort-code", "aba", "bsb", "transit"],
  keywordPlace: "start",
  pattern:
    String.raw`\b(?:routing|sort[ -]code|aba|bsb|transit)\b(?:[ .]{0,2}(?:number|num|no|nr)\b)?(?:[ .:=#"']|\bis\b){1,6}` +
    String.raw`\d[\d -]{4,9}\d\b["'.,;/|()\s]{1,4}(?:and )?(?:account|acct|a/c)\b(?:[ .]{0,2}(?:number|num|no|nr)\b)?` +
    String.raw`(?:[ .:=#"']|\bis\b){1,6}(\d{6,17})\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.75,
  validate: (value) => !isOneDigitRepeated(value),
  positives: [
    ["Remit to: Routing 021000021 Account 004417730912", "004417730912"],
    ["Routing number: 021000021, account no. 004417730912", "004417730912"],
    ["sort code 20-11-43 account 44177309", "44177309"],
  ],
  negatives: ["routing 021000021 to the account", "sort code 20-11-43, account 4417"],
};
