import { compact } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

export const frNir: EntityDetector = {
  id: "fr-nir",
  entityType: "FR_NIR",
  label: "NIR",
  category: "pii",
  description: "A French social security number, by its birth month, department and key.",
  keywords: [],
  pattern: String.raw`\b[123478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b`,
  score: 0.85,
  validate: (value) => {
    const text = compact(value);
    // Corsica's departments count as 19 and 18.
    const number = text.slice(0, 13).replace("2A", "19").replace("2B", "18");
    return 97 - (Number(number) % 97) === Number(text.slice(13)) && (text === value ? 0.7 : 0.85);
  },
  context: {
    words: [
      "nir",
      "sécurité sociale",
      "securite sociale",
      "numéro de sécurité sociale",
      "sécu",
      "insee",
      "assuré",
      "carte vitale",
      "social security",
    ],
    score: 0.97,
  },
  positives: [
    ["NIR 2 84 05 88 371 025 84", "2 84 05 88 371 025 84"],
    ["n° de sécurité sociale : 184053721002536", "184053721002536"],
  ],
  negatives: ["NIR 2 84 05 88 371 025 00", "584058837102547"],
};
