import type { EntityDetector } from "../entity.ts";

/** The PAN inside the number, with the letter of a known kind of holder. */
const form = /^.{5}[ABCFGHJLPT]/;

export const inGstin: EntityDetector = {
  id: "in-gstin",
  entityType: "IN_GSTIN",
  label: "GSTIN",
  category: "pii",
  description: "An Indian goods and services tax number, by its state, PAN and check character.",
  keywords: [],
  pattern: String.raw`\b(?:0[1-9]|[12]\d|3[0-8]|9[79])[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]\b`,
  caseInsensitive: true,
  score: 0.9,
  validate: (value) => {
    const text = value.toUpperCase();
    const sum = [...text.slice(0, 14)].reduce((total, character, index) => {
      const product = Number.parseInt(character, 36) * (index % 2 === 0 ? 1 : 2);
      return total + Math.floor(product / 36) + (product % 36);
    }, 0);
    if (Number.parseInt(text.charAt(14), 36) !== (36 - (sum % 36)) % 36) {
      // State codes from 38 on are rare, so such a number is refused without a valid check digit.
      return text < "38" && 0.3;
    }
    return form.test(text) ? 0.9 : 0.6;
  },
  context: {
    words: ["gstin", "gst", "gst number", "gst no", "goods and services tax"],
    score: 0.95,
  },
  positives: [["GSTIN 29BQXPK4821M1ZY", "29BQXPK4821M1ZY"]],
  negatives: ["45BQXPK4821M1Z5", "29BQXPK4821M0Z5", "29BQXDK4821M1Z5"],
};
