import { digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

export const itVatCode: EntityDetector = {
  id: "it-vat-code",
  entityType: "IT_VAT_CODE",
  label: "VAT_ID",
  category: "pii",
  description: "An Italian VAT number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:IT[ -]?)?\d(?:[ _]?\d){10}\b`,
  score: 0.6,
  validate: (value) => {
    const digits = digitsOf(value);
    if (!isLuhn(digits) || isOneDigitRepeated(digits)) return false;
    return /^IT/i.test(value) ? 0.6 : 0.2;
  },
  context: {
    words: ["partita iva", "p.iva", "p. iva", "piva", "p iva", "iva", "vat", "vat number"],
    score: 0.9,
  },
  positives: [
    ["P.IVA 04821390756", "04821390756"],
    ["IT04821390756", "IT04821390756"],
  ],
  negatives: ["P.IVA 04821390750", "sum 04821390757", "00000000000"],
};
