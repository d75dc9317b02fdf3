import type { EntityDetector } from "../entity.ts";

export const deCommercialRegister: EntityDetector = {
  id: "de-commercial-register",
  entityType: "DE_HANDELSREGISTER",
  label: "REGISTER_NUMBER",
  category: "pii",
  description: "A number of the German commercial register.",
  keywords: [],
  pattern: String.raw`\b(?:HR ?[AB]|GnR|GsR|PR|VR)(?:[ -]?(?:Nr\.?|Nummer))?[ :-]{0,2}\d{1,6}(?-i: ?[A-Z]{1,2})?\b`,
  caseInsensitive: true,
  score: 0.6,
  // VR and PR have many other meanings.
  validate: (value) => /^HR/i.test(value) || 0.2,
  context: {
    words: [
      "handelsregister",
      "vereinsregister",
      "genossenschaftsregister",
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
    ["Vereinsregister VR 4821", "VR 4821"],
    ["hrb 48213 ist", "hrb 48213"],
  ],
  negatives: ["HRC 48213", "HRB ", "THRB 48213"],
};
