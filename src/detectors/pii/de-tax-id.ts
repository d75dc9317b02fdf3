import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { isMod11Mod10 } from "../checksums/mod11-10.ts";
import type { EntityDetector } from "../entity.ts";

export const deTaxId: EntityDetector = {
  id: "de-tax-id",
  entityType: "DE_TAX_ID",
  label: "TAX_ID",
  category: "pii",
  description: "A German tax identification number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b[1-9](?:\d{10}|\d ?\d{3} \d{3} \d{3}|\d{2}/\d{3}/\d{5})\b`,
  score: 0.65,
  validate: (value) => {
    const digits = digitsOf(value);
    if (digits.length !== 11 || !isMod11Mod10(digits) || isOneDigitRepeated(digits)) return false;
    if (!hasOneRepetition(digits)) return 0.2;
    return value === digits ? 0.55 : 0.65;
  },
  context: {
    words: [
      "steuer-id",
      "steuerid",
      "steueridentifikationsnummer",
      "steuer identifikationsnummer",
      "identifikationsnummer",
      "idnr",
      "id-nr",
      "steuernummer",
      "tax id",
      "tax identification",
      "tin",
      "tax",
      "steuer",
    ],
    score: 0.95,
  },
  positives: [
    ["Steuer-ID: 47 036 892 816", "47 036 892 816"],
    ["Tax ID 47036892816", "47036892816"],
  ],
  negatives: ["Steuer-ID 47 036 892 810", "Tax ID 12345678901", "Bestellung 11111111111"],
};

/** Of the first ten digits exactly one occurs twice or three times (§ 139b AO). */
function hasOneRepetition(digits: string): boolean {
  const first = digits.slice(0, 10);
  const counts = [...new Set(first)].map((digit) => first.split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3;
}
