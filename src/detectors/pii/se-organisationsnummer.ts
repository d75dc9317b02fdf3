import { digitsOf } from "../checksums/digits.ts";
import { isLuhn } from "../checksums/luhn.ts";
import type { EntityDetector } from "../entity.ts";

export const seOrganisationsnummer: EntityDetector = {
  id: "se-organisationsnummer",
  entityType: "SE_ORGANISATIONSNUMMER",
  label: "ORG_NUMBER",
  category: "pii",
  description: "A Swedish organization number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:16)?[1-35-9]\d[2-9]\d{3}-?\d{4}\b`,
  score: 0.5,
  validate: (value) => {
    if (!isLuhn(digitsOf(value).slice(-10))) return false;
    return value.includes("-") ? 0.5 : 0.15;
  },
  context: {
    words: [
      "organisationsnummer",
      "org.nr",
      "orgnr",
      "org nr",
      "org.nummer",
      "organisationsnr",
      "bolag",
      "momsnummer",
      "vat",
    ],
    score: 0.9,
  },
  positives: [["Org.nr 556482-1394", "556482-1394"]],
  negatives: ["Org.nr 556482-1390", "sum 5564821395"],
};
