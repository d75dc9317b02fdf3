import type { EntityDetector } from "../entity.ts";

export const icd10Code: EntityDetector = {
  id: "icd10-code",
  entityType: "ICD10_CODE",
  label: "ICD10",
  category: "phi",
  description: "A code of the International Classification of Diseases beside a clinical word.",
  keywords: [],
  pattern: String.raw`\b[A-TV-Z]\d[0-9AB](?:\.[0-9A-TV-Z]{1,4})?\b`,
  score: 0.3,
  validate: (value) => value.includes(".") || 0.15,
  context: {
    words: [
      "icd",
      "icd-10",
      "icd10",
      "icd-10-cm",
      "icd code",
      "diagnosis",
      "diagnoses",
      "diagnosed",
      "diagnosis code",
      "dx",
      "dx code",
      "encounter",
      "claim",
    ],
    score: 0.8,
  },
  otherwise: ["paper", "sheet", "highway", "flight", "gate", "room", "model"],
  positives: [
    ["ICD-10: E11.65", "E11.65"],
    ["Dx: J45.909, asthma", "J45.909"],
    ["diagnosis code I10", "I10"],
  ],
  negatives: ["an A10 aircraft", "E11.65", "U11.9 diagnosis"],
};
