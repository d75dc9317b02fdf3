import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

/** An issuer's range by its first digits, both ends of the same length, and its card lengths. */
type Issuer = readonly [from: string, to: string, lengths: readonly number[]];

/** ISO/IEC 7812 ranges as the networks publish them. */
const issuers: readonly Issuer[] = [
  ["4", "4", [13, 16, 19]], // Visa
  ["51", "55", [16]], // Mastercard
  ["2221", "2720", [16]], // Mastercard
  ["34", "34", [15]], // American Express
  ["37", "37", [15]], // American Express
  ["300", "305", [14, 16]], // Diners Club
  ["3095", "3095", [14]], // Diners Club
  ["36", "36", [14, 15, 16, 17, 18, 19]], // Diners Club
  ["38", "39", [14, 16]], // Diners Club
  ["3528", "3589", [16, 17, 18, 19]], // JCB
  ["1800", "1800", [15]], // JCB
  ["2131", "2131", [15]], // JCB
  ["6011", "6011", [16, 17, 18, 19]], // Discover
  ["644", "659", [16, 17, 18, 19]], // Discover, RuPay
  ["62", "62", [16, 17, 18, 19]], // UnionPay
  ["81", "82", [16, 17, 18, 19]], // UnionPay, RuPay
  ["60", "60", [16]], // RuPay
  ["2200", "2204", [16, 17, 18, 19]], // Mir
  ["9792", "9792", [16]], // Troy
  ["5019", "5019", [16]], // Dankort
  ["50", "50", [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  ["56", "58", [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  ["63", "63", [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  ["67", "67", [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
];

export const creditCard: EntityDetector = {
  id: "credit-card",
  entityType: "CREDIT_CARD",
  label: "CREDIT_CARD",
  category: "pii",
  description: "A payment card number of a known issuer whose check digit fits.",
  keywords: [],
  // In a form, a blank is written as a plus sign.
  pattern:
    String.raw`\b(?:\d{12,19}|\d{4}(?:[ +-]\d{4}){3}(?:[ +-]\d{1,3})?|\d{4}[ +-]\d{6}[ +-]\d{4,5}|` +
    String.raw`\d{4}(?:[ +-]\d{4}){2}[ +-]\d{1,3})\b`,
  score: 0.95,
  validate: (value) => {
    const digits = digitsOf(value);
    if (!isLuhn(digits) || isOneDigitRepeated(digits)) return false;
    if (!hasIssuer(digits)) return digits.length >= 14 && /^[13-6]/.test(digits) ? 0.3 : false;
    // Maestro and short numbers get a low score, because one in ten numbers fits by chance.
    return (digits.length >= 13 && !/^(?:5[06-8]|63|67)/.test(digits)) || 0.4;
  },
  context: {
    words: [
      "card",
      "cards",
      "credit",
      "debit",
      "visa",
      "mastercard",
      "maestro",
      "amex",
      "cc",
      "pan",
      "kreditkarte",
      "kreditkartennummer",
      "tarjeta",
      "carte",
      "carta",
      "cartão",
    ],
    score: 0.98,
  },
  positives: [
    ["card 4539 1488 0343 6467 exp 09/27", "4539 1488 0343 6467"],
    ["charged to 378282246310005.", "378282246310005"],
    ["5555-5555-5555-4444", "5555-5555-5555-4444"],
    ["amex 3714 496353 98431", "3714 496353 98431"],
    ["card_number=4539+1488+0343+6467&exp=04%2F29", "4539+1488+0343+6467"],
    ["30569309025904", "30569309025904"],
  ],
  negatives: [
    "4539 1488 0343 6468",
    "0000 0000 0000 0000",
    "tracking 9400110200881234567890",
    "epoch 1700000000000",
    "f4539148803436467a",
  ],
};

function hasIssuer(digits: string): boolean {
  return issuers.some(([from, to, lengths]) => {
    const prefix = digits.slice(0, from.length);
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
}
