import type { EntityDetector } from "../entity.ts";

export const itDriverLicense: EntityDetector = {
  id: "it-driver-license",
  entityType: "IT_DRIVER_LICENSE",
  label: "DRIVER_LICENSE",
  category: "pii",
  description: "An Italian driving licence number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b(?:[A-Z]{2}\d{7}[A-Z]|U1[A-Z0-9]{7}[A-Z])\b`,
  caseInsensitive: true,
  score: 0.35,
  validate: (value) => /\d/.test(value.slice(2)),
  context: {
    words: [
      "patente",
      "patente di guida",
      "guida",
      "licenza",
      "driver license",
      "driving licence",
      "driver's license",
    ],
    score: 0.85,
  },
  positives: [
    ["patente MI4821390K", "MI4821390K"],
    ["patente di guida U1K48B39AT", "U1K48B39AT"],
  ],
  negatives: ["MI4821390K", "patente MI482139K"],
};
