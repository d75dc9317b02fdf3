import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

/** Numbers that were printed on samples and in advertisements. */
const neverIssued: ReadonlySet<string> = new Set([
  "078051120",
  "219099999",
  "123456789",
  "987654321",
]);

export const usSsn: EntityDetector = {
  id: "us-ssn",
  entityType: "US_SSN",
  label: "SSN",
  category: "pii",
  description: "A United States social security number.",
  keywords: [],
  pattern: String.raw`\b\d+(?:[-.]\d+){3,32}|\b(\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{3}\.\d{2}\.\d{4}|\d{5}-\d{4}|\d{3}-\d{6}|\d{9})\b`,
  group: 1,
  score: 0.6,
  validate: (value) => {
    const digits = digitsOf(value);
    if (isOneDigitRepeated(digits) || !isIssued(digits)) return false;
    if (neverIssued.has(digits)) return 0.3;
    if (digits === value) return 0.2;
    if (/^\d{5}-|-\d{6}$/.test(value)) return 0.1;
    return value.includes("-") ? 0.6 : 0.4;
  },
  context: {
    words: [
      "ssn",
      "ssns",
      "social security",
      "social security number",
      "ss number",
      "social",
      "soc sec",
      "ssn4",
      "ssid",
      "seguro social",
    ],
    score: 0.9,
  },
  otherwise: ["phone", "part number", "isbn", "sku"],
  positives: [
    ["SSN: 536-22-8147.", "536-22-8147"],
    ["his social security number is 536228147", "536228147"],
    ["536-22-8147 on file", "536-22-8147"],
    ["ssn 536 22 8147", "536 22 8147"],
  ],
  negatives: [
    "000-22-8147",
    "666-22-8147",
    "936-22-8147",
    "536-00-8147",
    "536-22-0000",
    "order 536228147",
    "SSN 111-11-1111",
    "part 1-536-22-8147-9",
  ],
};

/** No area 000, 666 or 900 and up, no group 00, no serial 0000 (Social Security Administration). */
function isIssued(digits: string): boolean {
  const area = digits.slice(0, 3);
  if (area === "000" || area === "666" || area >= "900") return false;
  return digits.slice(3, 5) !== "00" && digits.slice(5) !== "0000";
}
