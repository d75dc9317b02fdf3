import type { EntityDetector } from "../entity.ts";

export const deTaxNumber: EntityDetector = {
  id: "de-tax-number",
  entityType: "DE_TAX_NUMBER",
  label: "TAX_NUMBER",
  category: "pii",
  description: "A tax number of a German tax office.",
  keywords: [],
  pattern: String.raw`\b(?:\d{2,3}/\d{3,4}/\d{4,5}|\d{5}/\d{5}|\d{2,3} \d{3,4} \d{4,5}|0\d{2} \d{3} \d{5}|\d{13}|\d{10,11})\b`,
  score: 0.3,
  validate: (value) => (value.includes("/") ? 0.3 : 0.05),
  context: {
    words: [
      "steuernummer",
      "steuer-nr",
      "steuernr",
      "st.-nr",
      "stnr",
      "st-nr",
      "finanzamt",
      "steuer nr",
      "tax number",
      "elster",
    ],
    score: 0.85,
  },
  positives: [
    ["Steuernummer 93/815/08152", "93/815/08152"],
    ["St.-Nr. 181/815/08155", "181/815/08155"],
  ],
  negatives: ["93/815/08152 Teile", "am 12/01/2021"],
};
