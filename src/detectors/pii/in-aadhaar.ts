import { digitsOf } from "../checksums/digits.ts";
import { isVerhoeff } from "../checksums/verhoeff.ts";
import type { EntityDetector } from "../entity.ts";

export const inAadhaar: EntityDetector = {
  id: "in-aadhaar",
  entityType: "IN_AADHAAR",
  label: "AADHAAR",
  category: "pii",
  description: "An Indian Aadhaar number, by its check digit.",
  keywords: [],
  pattern: String.raw`\b\d{4}(?:[ -]\d{4}){3,8}\b|\b([2-9]\d{3}(?:[ :-]?\d{4}){2})\b`,
  group: 1,
  score: 0.6,
  validate: (value) => {
    const digits = digitsOf(value);
    if (!isVerhoeff(digits) || digits === [...digits].reverse().join("")) return false;
    return value === digits ? 0.35 : 0.6;
  },
  context: { words: ["aadhaar", "aadhar", "adhaar", "uidai", "uid", "आधार"], score: 0.95 },
  positives: [
    ["Aadhaar 4821 3907 5514", "4821 3907 5514"],
    ["UIDAI 482139075514", "482139075514"],
  ],
  negatives: ["Aadhaar 4821 3907 5510", "1821 3907 5512"],
};
