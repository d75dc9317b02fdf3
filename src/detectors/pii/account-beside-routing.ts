import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const accountBesideRouting: EntityDetector = {
  id: "account-beside-routing",
  entityType: "US_BANK_NUMBER",
  label: "BANK_ACCOUNT",
  category: "pii",
  description: "The number of an account before the number of its bank.",
  keywords: ["account", "acct", "a/c"],
  pattern:
    String.raw`(?:\b(?:account|acct)\b|\ba/c\b)(?:[ .]{0,2}(?:number|num|no|nr)\b)?(?:[ .:=#"']|\bis\b){1,6}` +
    String.raw`(\d{6,17})\b["'.,;()\s]{1,4}(?:and )?\b(?:routing|sort[ -]code|aba|bsb|transit)\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.75,
  validate: (value) => !isOneDigitRepeated(value),
  positives: [
    ["Pay to account 004417730912, routing 021000021.", "004417730912"],
    ["Account: 004417730912\nRouting number: 021000021", "004417730912"],
    ["Account no. 44177309 Sort code 20-11-43", "44177309"],
  ],
  negatives: [
    "account 004417730912 has been suspended",
    "routing 021000021",
    "the account, routing 021000021",
  ],
};
