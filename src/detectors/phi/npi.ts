import { digitsOf } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

/** The card prefix of United States health care, under which the check digit is computed. */
const issuerPrefix = "80840";

export const npi: EntityDetector = {
  id: "npi",
  entityType: "NPI",
  label: "NPI",
  category: "phi",
  description: "A national provider identifier of the United States, by its check digit.",
  keywords: [],
  pattern: String.raw`\b[12]\d{3}(?:\d{6}|-\d{3}-\d{3}| \d{3} \d{3})\b`,
  score: 0.3,
  validate: (value) => isLuhn(`${issuerPrefix}${digitsOf(value)}`),
  context: {
    words: [
      "npi",
      "npi number",
      "national provider",
      "provider",
      "providers",
      "prescriber",
      "physician",
      "taxonomy",
      "referring",
      "rendering",
      "billing provider",
    ],
    score: 0.9,
  },
  otherwise: ["phone", "fax", "tel", "epoch", "timestamp"],
  positives: [["NPI 1482139007", "1482139007"]],
  negatives: ["NPI 1482139070", "call 1482139077", "3482139077"],
};
