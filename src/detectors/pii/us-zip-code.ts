import type { EntityDetector } from "../entity.ts";

const states =
  "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|" +
  "NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR|GU|VI|AS|MP";

export const usZipCode: EntityDetector = {
  id: "us-zip-code",
  entityType: "ZIP_CODE",
  label: "ZIP",
  category: "pii",
  description: "A United States ZIP code after a state's abbreviation or a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:${states})[,.]? {1,2}(\d{5}(?:-\d{4})?)\b`,
  group: 1,
  score: 0.6,
  positives: [
    ["Dayton, OH 45402", "45402"],
    ["Reno, NV 89501-0044.", "89501-0044"],
  ],
  negatives: ["item 45402", "zip file 45402x", "OH 454021"],
};
