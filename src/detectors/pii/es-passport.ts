import type { EntityDetector } from "../entity.ts";

export const esPassport: EntityDetector = {
  id: "es-passport",
  entityType: "ES_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "A Spanish passport number beside a word for it.",
  keywords: [],
  pattern: String.raw`\b[A-Z]{2,3}\d{6}\b`,
  caseInsensitive: true,
  score: 0.1,
  context: {
    words: ["pasaporte", "número de pasaporte", "spanish passport", "documento de viaje"],
    score: 0.65,
  },
  positives: [["pasaporte PAA482139", "PAA482139"]],
  negatives: ["PAA482139", "SKU PAA482139"],
};
