import type { EntityDetector } from "../entity.ts";
import { isInternationalNumber, isPossibleInternationalNumber } from "./phone-regions.ts";
import { phoneWords } from "./phone-words.ts";

const separator = String.raw`[ .\-/()\x{a0}\x{2011}]`;
const extension = String.raw`(?:[ ,;]{0,2}(?:x|ext\.?|extension)[ .:]{0,2}\d{1,6})?`;

export const internationalPhoneNumber: EntityDetector = {
  id: "international-phone-number",
  entityType: "PHONE_NUMBER",
  label: "PHONE",
  category: "pii",
  description: "A telephone number with its country code, valid in that country's numbering plan.",
  keywords: ["+", "00"],
  // The first branch matches, without a value, a plus sign inside a sum or inside encoded bytes:
  // 1+2345678, aGVsbG8+1234567.
  pattern:
    String.raw`[\w+=/]\+{1,64}\d*|((?:\+\(?|\b00${separator}{0,2})` +
    String.raw`(?:1${separator}{0,2}\d{3}${separator}{0,2}\d{3}${separator}{0,2}\d{4}|` +
    String.raw`[1-9](?:${separator}{0,3}\d){6,14})${extension})\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.85,
  validate: (value) => {
    if (isInternationalNumber(value)) return value.startsWith("+") || 0.6;
    return isPossibleInternationalNumber(value) ? (value.startsWith("+") ? 0.55 : 0.4) : 0.2;
  },
  context: { words: phoneWords, score: 0.9 },
  positives: [
    ["Call +1 (415) 555-0132.", "+1 (415) 555-0132"],
    ["tel:+442079460958", "+442079460958"],
    ["Tel. +49 30 901820, Berlin", "+49 30 901820"],
    ["dial 0033 6 12 34 56 78 now", "0033 6 12 34 56 78"],
    ["+1-415-555-0132 ext. 77", "+1-415-555-0132 ext. 77"],
    ["+91 98765 43210", "+91 98765 43210"],
  ],
  negatives: ["1+2345678901", "x = a+4915112345678", "+12", "C++11 and 00:00:00", "+0.123456789"],
};
