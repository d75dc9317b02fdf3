import type { EntityDetector } from "../entity.ts";

export const labelledPostalCode: EntityDetector = {
  id: "labelled-postal-code",
  entityType: "ZIP_CODE",
  label: "ZIP",
  category: "pii",
  description: "A postal code that the text calls one.",
  keywords: ["zip", "post", "código postal", "cap"],
  pattern:
    String.raw`\b(?:zip(?:[ _-]?code)?|zipcode|post(?:al)?[ _-]?code|código postal|code postal|postcode)` +
    String.raw`["']{0,2}(?: is| of|:|=| was| number)?[:\s"']{1,4}(\d{5}(?:-\d{4})?|\d{4,6}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b`,
  caseInsensitive: true,
  group: 1,
  score: 0.7,
  positives: [
    ["my zip code is 45402.", "45402"],
    ['"postal_code": "K1A 0B1"', "K1A 0B1"],
    ["zip: 89501-0044", "89501-0044"],
  ],
  negatives: ["zip file", "unzip 45402", "post 45402 times", "zip code missing"],
};
