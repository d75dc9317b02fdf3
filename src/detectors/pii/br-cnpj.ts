import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

export const brCnpj: EntityDetector = {
  id: "br-cnpj",
  entityType: "BR_CNPJ",
  label: "CNPJ",
  category: "pii",
  description: "A Brazilian taxpayer number of a company, by its check digits.",
  keywords: [],
  pattern: String.raw`\b(?:\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}|\d{14})\b`,
  score: 0.9,
  validate: (value) => {
    const digits = digitsOf(value);
    if (isOneDigitRepeated(digits)) return false;
    const first = ((weightedSum(digits, weights.slice(1)) * 10) % 11) % 10;
    const second = ((weightedSum(digits, weights) * 10) % 11) % 10;
    if (first !== digitAt(digits, 12) || second !== digitAt(digits, 13)) return false;
    return value === digits ? 0.4 : 0.9;
  },
  context: {
    words: ["cnpj", "cadastro nacional", "pessoa jurídica", "empresa", "receita federal"],
    score: 0.97,
  },
  positives: [["CNPJ 48.213.907/0001-65", "48.213.907/0001-65"]],
  negatives: ["CNPJ 48.213.907/0001-00", "00.000.000/0000-00"],
};
