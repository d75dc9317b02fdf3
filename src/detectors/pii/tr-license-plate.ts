import type { EntityDetector } from "../entity.ts";

export const trLicensePlate: EntityDetector = {
  id: "tr-license-plate",
  entityType: "TR_LICENSE_PLATE",
  label: "LICENSE_PLATE",
  category: "pii",
  description: "A Turkish vehicle registration plate, by its province.",
  keywords: [],
  pattern: String.raw`\b(?:0[1-9]|[1-7]\d|8[01])[ -]?[A-PR-VYZ]{1,3}[ -]?\d{2,5}\b`,
  caseInsensitive: true,
  score: 0.45,
  validate: (value) => (value.includes(" ") ? 0.45 : 0.25),
  context: {
    words: [
      "plaka",
      "plakalı",
      "araç",
      "otomobil",
      "araba",
      "plate",
      "license plate",
      "vehicle",
      "car",
    ],
    score: 0.8,
  },
  positives: [["34 KLM 482 plakalı araç", "34 KLM 482"]],
  negatives: ["99 KLM 482", "34 KLM 482"],
};
