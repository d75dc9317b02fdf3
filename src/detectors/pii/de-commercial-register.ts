import type { EntityDetector } from "../entity.ts";

export const deCommercialRegister: EntityDetector = {
  id: "de-commercial-register",
  entityType: "DE_HANDELSREGISTER",
  label: "REGISTER_NUMBER",
  category: "pii",
  description: "A number of the German commercial register.",
  keywords: [],
  pattern: String.raw`\bHR ?[AB](?:[ -]?(?:Nr\.?|Nummer))?[ :-]{0,2}\d{1,6}(?: ?[A-Z]{1,3}\b)?`,
  caseInsensitive: true,
  score: 0.6,
  context: {
    words: [
      "handelsregister",
      "amtsgericht",
      "registergericht",
      "register",
      "hrb",
      "hra",
      "commercial register",
    ],
    score: 0.8,
  },
  positives: [
    ["Amtsgericht Musterstadt, HRB 48213 B.", "HRB 48213 B"],
    ["HRA 5521", "HRA 5521"],
  ],
  negatives: ["HRC 48213", "HRB ", "THRB 48213"],
};
