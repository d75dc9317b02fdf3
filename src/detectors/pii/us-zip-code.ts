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
  // The first branch matches the numbers of pull requests, without a value. Puerto Rico's codes
  // begin with 00.
  pattern: String.raw`\bPR {1,2}(?:[1-9]|0[1-9])\d{3,4}\b|\b(?:${states})[,.]? {1,2}(\d{5}(?:-\d{4})?)\b`,
  group: 1,
  score: 0.6,
  positives: [
    ["Dayton, OH 45402", "45402"],
    ["Reno, NV 89501-0044.", "89501-0044"],
    ["San Juan, PR 00901", "00901"],
  ],
  negatives: ["item 45402", "zip file 45402x", "OH 454021", "fixed by PR 45402"],
};
