import type { EntityDetector } from "../entity.ts";

export const deDriverLicense: EntityDetector = {
  id: "de-driver-license",
  entityType: "DE_FUEHRERSCHEIN",
  label: "DRIVER_LICENSE",
  category: "pii",
  description: "A German driving licence number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-Z0-9]{11}\b`,
  caseInsensitive: true,
  score: 0.2,
  // The authority begins with its state's letter.
  validate: (value) => (/\d.*\d/.test(value) ? /^[a-z]\d.{7}[\dx]/i.test(value) || 0.1 : false),
  context: {
    words: [
      "führerschein",
      "fuehrerschein",
      "führerscheinnummer",
      "fahrerlaubnis",
      "fahrerlaubnisnummer",
      "driving licence",
      "driver licence",
      "driver's license",
      "driving license",
      "licence number",
    ],
    score: 0.8,
  },
  positives: [
    ["Führerschein B072RRE2I55", "B072RRE2I55"],
    ["Fahrerlaubnisnummer J430A1RZN11", "J430A1RZN11"],
  ],
  negatives: ["B072RRE2I55", "Führerschein ABCDEFGHIJK"],
};
