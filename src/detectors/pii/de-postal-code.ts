import type { EntityDetector } from "../entity.ts";

export const dePostalCode: EntityDetector = {
  id: "de-postal-code",
  entityType: "DE_PLZ",
  label: "POSTCODE",
  category: "pii",
  description: "A German postal code beside a word for it or after its country letter.",
  keywords: [],
  pattern: String.raw`\b(?:D-)?(?:0[1-9]|[1-9]\d)\d{3}\b`,
  score: 0.7,
  validate: (value) => {
    const number = Number(value.replace("D-", ""));
    return number >= 1067 && number <= 99998 && (value.startsWith("D-") ? 0.7 : 0.05);
  },
  context: {
    words: ["plz", "postleitzahl", "anschrift", "wohnhaft", "straße", "strasse", "wohnort"],
    score: 0.7,
  },
  positives: [
    ["PLZ 48143 Münster", "48143"],
    ["D-48143 Münster", "D-48143"],
  ],
  negatives: ["48143 Stück", "PLZ 00143", "Preis 12345"],
};
