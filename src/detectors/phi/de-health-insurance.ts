import { digitAt } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const deHealthInsurance: EntityDetector = {
  id: "de-health-insurance",
  entityType: "DE_HEALTH_INSURANCE",
  label: "HEALTH_INSURANCE",
  category: "phi",
  description: "A German health insurance number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b[A-Z]\d{9}\b`,
  score: 0.5,
  validate: (value) => {
    const letter = value.charCodeAt(0) - 0x40;
    const digits = `${String(letter).padStart(2, "0")}${value.slice(1)}`;
    let sum = 0;
    for (let index = 0; index < 10; index += 1) {
      const product = digitAt(digits, index) * (index % 2 === 0 ? 1 : 2);
      sum += Math.floor(product / 10) + (product % 10);
    }
    return sum % 10 === digitAt(digits, 10) && 0.45;
  },
  context: {
    words: [
      "krankenversicherung",
      "krankenversichertennummer",
      "krankenversichertennr",
      "versichertennr",
      "kvnr",
      "kv-nummer",
      "versichertennummer",
      "krankenkasse",
      "gesundheitskarte",
      "egk",
      "health insurance",
      "versicherten-nr",
      "vers.-nr",
      "versichert",
      "versicherte",
      "versicherter",
    ],
    score: 0.95,
  },
  positives: [
    ["KVNR M402188354", "M402188354"],
    ["Vers.-Nr. M402188354", "M402188354"],
    ["Krankenversichertennr. M402188354", "M402188354"],
    ["Krankenkasse, Versichertennummer M402188354", "M402188354"],
  ],
  negatives: ["KVNR M402188350", "part M402188354"],
};
