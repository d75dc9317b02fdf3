import { machineReadableCheckDigit } from "../checksums/machine-readable.ts";
import type { EntityDetector } from "../entity.ts";

export const deIdCard: EntityDetector = {
  id: "de-id-card",
  entityType: "DE_ID_CARD",
  label: "ID_CARD",
  category: "pii",
  description: "A German identity card number, with or without its check digit.",
  keywords: [],
  pattern: String.raw`\b(?:[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}(?:\dD?)?|\d{10}D)\b`,
  caseInsensitive: true,
  score: 0.5,
  validate: (value) => {
    if (!/\d.*\d/.test(value)) return value === value.toUpperCase() && 0.1;
    // Passports begin with the other letters.
    if (!/^[LMNPRTVWXY\d]/i.test(value)) return 0.1;
    if (value.length < 10) return 0.25;
    return machineReadableCheckDigit(value.slice(0, 9).toUpperCase()) === Number(value.charAt(9))
      ? 0.5
      : 0.15;
  },
  context: {
    words: [
      "personalausweis",
      "ausweis",
      "ausweisnummer",
      "personalausweisnummer",
      "id card",
      "identity card",
      "perso",
      "ausweisnr",
      "nationalausweis",
    ],
    score: 0.85,
  },
  positives: [
    ["Personalausweis L8G4WH3T73", "L8G4WH3T73"],
    ["Ausweisnummer: T26000129", "T26000129"],
  ],
  negatives: ["SKU L8G4WH3T7", "abcdefghi Ausweis"],
};
