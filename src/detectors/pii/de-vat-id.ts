import { digitsOf } from "../checksums/digits.ts";
import { isMod11Mod10 } from "../checksums/mod11-10.ts";
import type { EntityDetector } from "../entity.ts";

export const deVatId: EntityDetector = {
  id: "de-vat-id",
  entityType: "DE_VAT_ID",
  label: "VAT_ID",
  category: "pii",
  description: "A German VAT identification number, by its check digit.",
  keywords: [],
  pattern: String.raw`\bDE(?:[ ./-]{0,2}\d){9}\b`,
  caseInsensitive: true,
  score: 0.7,
  validate: (value) => {
    const digits = digitsOf(value);
    // The check digit is not published; some numbers in use do not fit the known one.
    return digits.startsWith("0") ? false : isMod11Mod10(digits) ? 0.7 : 0.4;
  },
  context: {
    words: [
      "ust-id",
      "ust-idnr",
      "ust-id-nr",
      "ustid",
      "ustidnr",
      "umsatzsteuer",
      "umsatzsteuer-identifikationsnummer",
      "vat",
      "vat id",
      "vat number",
      "mwst",
      "steuer",
    ],
    score: 0.9,
  },
  positives: [
    ["USt-IdNr. DE281164878", "DE281164878"],
    ["VAT DE 281 164 878", "DE 281 164 878"],
  ],
  negatives: ["DE012345678", "DE28116487", "IDE281164870"],
};
