import { compact } from "../checksums/digits.ts";
import type { EntityDetector } from "../entity.ts";

const checkLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

export const esNif: EntityDetector = {
  id: "es-nif",
  entityType: "ES_NIF",
  label: "NIF",
  category: "pii",
  description: "A Spanish tax number of a citizen, by its check letter.",
  keywords: [],
  pattern: String.raw`\b(?:\d{7,8}|\d{2}\.\d{3}\.\d{3})[ -]?[A-HJ-NP-TV-Z]\b`,
  caseInsensitive: true,
  score: 0.75,
  validate: (value) => {
    const text = compact(value);
    return text.endsWith(checkLetters.charAt(Number(text.slice(0, -1)) % 23)) && text.length === 9
      ? 0.75
      : false;
  },
  context: {
    words: [
      "nif",
      "dni",
      "documento nacional",
      "documento nacional de identidad",
      "identificación",
      "identificacion",
      "número de identificación",
      "spanish id",
    ],
    score: 0.95,
  },
  positives: [
    ["DNI 48213907L", "48213907L"],
    ["NIF: 48.213.907-L", "48.213.907-L"],
  ],
  negatives: ["DNI 48213907A", "48213907 kg", "1234567L"],
};
