import { isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";
import {
  isNorthAmericanNumber,
  isPlainNumber,
  isTrunkZeroNumber,
  subscriberDigits,
} from "./phone-regions.ts";
import { groupedPhoneWords } from "./phone-words.ts";

const separator = String.raw`[ .\-/\x{a0}\x{2011}]`;
const extension = String.raw`(?:[ ,;]{0,2}(?:x|ext\.?|extension)[ .:]{0,2}\d{1,6})?`;

/** Three, three and four digits, as in North America. */
const northAmerican =
  String.raw`(?:\b1${separator}{0,2})?(?:\(\d{3}\)${separator}{0,2}\d{3}${separator}{0,2}\d{4}|` +
  String.raw`\b\d{3}${separator}{1,2}\d{3}${separator}{1,2}\d{4})`;

/** The 0 that is dialled inside a country, and groups after it. */
const trunkZero = String.raw`\(?\b0\d{1,5}\)?${separator}{1,3}\d{2,8}(?:${separator}\d{2,5}){0,4}`;

/** A number with its area code in parentheses. */
const parenthesized = String.raw`\(\d{2,5}\)${separator}{0,2}\d{2,5}(?:${separator}\d{2,5}){1,3}`;

/** Groups without any prefix: Spain, Poland, India, the Nordic countries, a local number. */
const plain =
  String.raw`\b[2-9]\d{2}(?:${separator}\d{3}){2}|\b[2-9]\d{2}(?:${separator}\d{2}){3}|` +
  String.raw`\b[6-9]\d{4}[ -]\d{5}|\b[2-9]\d{3}[ -]\d{4}|\b[2-9]\d(?:[ .]\d{2}){3}|` +
  String.raw`\b[2-9]\d{2}[.-]\d{4}|\b[2-9]\d(?:-\d{2}){3}|\b[2-9]\d \d{6}|` +
  String.raw`\b[2-9]\d[ .]\d{3}(?:[ .]\d{2}){2}`;

export const nationalPhoneNumber: EntityDetector = {
  id: "national-phone-number",
  entityType: "PHONE_NUMBER",
  label: "PHONE",
  category: "pii",
  description: "A telephone number as it is written inside a country, in groups.",
  keywords: [],
  // The first and the last branch match longer runs of groups, without a value: serial numbers,
  // addresses, dates.
  pattern:
    String.raw`${northAmerican}[.-]\d+|((?:${northAmerican}|${trunkZero}|${parenthesized}|${plain})${extension})\b|` +
    String.raw`\b\d+(?:[.-]\d+){2,32}`,
  caseInsensitive: true,
  group: 1,
  score: 0.75,
  validate: (value) => {
    const digits = subscriberDigits(value);
    if (looksLikeDate(value) || isOneDigitRepeated(digits)) return false;
    if (value.startsWith("0") || value.startsWith("(0")) return trunkZeroScore(value, digits);
    if (inNorthAmericanGroups.test(value)) return northAmericanScore(value);
    if (value.startsWith("(")) return digits.length >= 8 && digits.length <= 12 ? 0.5 : 0.3;
    return digits.length >= 8 && isPlainNumber(value) ? 0.35 : 0.2;
  },
  context: { words: groupedPhoneWords, score: 0.8 },
  otherwise: [
    "account",
    "reference",
    "ref",
    "isbn",
    "issn",
    "serial",
    "sku",
    "tracking",
    "invoice",
    "iban",
    "version",
    "ssn",
    "cve",
  ],
  positives: [
    ["Office: (415) 555-0132.", "(415) 555-0132"],
    ["415-555-0132 x204 is mine", "415-555-0132 x204"],
    ["415.555.0132", "415.555.0132"],
    ["London 020 7946 0958 after six", "020 7946 0958"],
    ["Appelez le 06 12 34 56 78.", "06 12 34 56 78"],
    ["Telefon 030/901820-55", "030/901820-55"],
    ["teléfono: 612 345 678", "612 345 678"],
    ["my mobile is 98765 43210", "98765 43210"],
    ["call 555-0132", "555-0132"],
    ["(48) 213-907", "(48) 213-907"],
    ["(11) 98456 5666", "(11) 98456 5666"],
    ["my number is 22 43 91 05", "22 43 91 05"],
    ["teléfono 91 234 56 78", "91 234 56 78"],
  ],
  negatives: [
    "on 01.02.2023 and 01 02 2023",
    "serial 415-555-0132-77",
    "2021-03-04",
    "ISBN 978-3-16-148410-0",
    "pages 555-0132",
    "between 2000 2400",
    "tel. below, ul. Marszałkowska 84, 00-950 Warszawa",
    "fix call of CVE-2016-6304",
  ],
};

const inNorthAmericanGroups = /^(?:1[^\d(]{0,2})?\(?\d{3}\)?[^\d(]{0,2}\d{3}[^\d(]{0,2}\d{4}(?!\d)/;

function looksLikeDate(value: string): boolean {
  return /^(?:\d{1,2}[ ./-]\d{1,2}[ ./-]\d{4}|\d{4}[ ./-]\d{2}[ ./-]\d{2})$/.test(value);
}

function northAmericanScore(value: string): number {
  if (!isNorthAmericanNumber(value)) return 0.4;
  return /[().-]/.test(value) ? 0.75 : 0.55;
}

function trunkZeroScore(value: string, digits: string): number | false {
  // 00-950 is a postal code.
  if (digits.length < 6) return false;
  if (digits.length < 7 || digits.length > 12) return 0.2;
  if (!isTrunkZeroNumber(value)) return 0.3;
  return digits.length >= 10 ? 0.6 : 0.45;
}
