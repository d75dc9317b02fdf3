import { machineReadableCheckDigit } from "../checksums/machine-readable.ts";
import type { EntityDetector } from "../entity.ts";

export const dePassport: EntityDetector = {
  id: "de-passport",
  entityType: "DE_PASSPORT",
  label: "PASSPORT",
  category: "pii",
  description: "A German passport number, with or without its check digit.",
  keywords: [],
  pattern: String.raw`\b[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}(?:\dD?)?\b`,
  caseInsensitive: true,
  score: 0.5,
  validate: (value) => {
    if (!/\d.*\d/.test(value)) return value === value.toUpperCase() && 0.1;
    // Identity cards begin with the other letters.
    if (!/^[CFGHJK]/i.test(value)) return 0.1;
    if (value.length < 10) return 0.2;
    return machineReadableCheckDigit(value.slice(0, 9).toUpperCase()) === Number(value.charAt(9))
      ? 0.5
      : 0.15;
  },
  context: {
    words: [
      "reisepass",
      "passnummer",
      "reisepassnummer",
      "pass",
      "german passport",
      "german passport number",
      "deutscher pass",
    ],
    score: 0.8,
  },
  otherwise: ["commit", "merge", "https"],
  positives: [
    ["Reisepass C4HJ7WL2G8", "C4HJ7WL2G8"],
    ["German passport F3K8HVW1J", "F3K8HVW1J"],
  ],
  negatives: ["C4HJ7WL2G", "commit FCGHJKLMN passport", "merge f917f57f4: the tests pass"],
};
