import { digitAt, digitsOf, isOneDigitRepeated } from "../checksums/digits.ts";
import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

export const brCpf: EntityDetector = {
  id: "br-cpf",
  entityType: "BR_CPF",
  label: "CPF",
  category: "pii",
  description: "A Brazilian taxpayer number of a person, by its check digits.",
  keywords: [],
  pattern: String.raw`\b(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{9}-\d{2}|\d{11})\b`,
  score: 0.85,
  validate: (value) => {
    const digits = digitsOf(value);
    if (isOneDigitRepeated(digits)) return false;
    const first = ((weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
    const second = ((weightedSum(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
    if (first !== digitAt(digits, 9) || second !== digitAt(digits, 10)) return false;
    return value === digits ? 0.45 : 0.85;
  },
  context: {
    words: [
      "cpf",
      "cadastro de pessoas",
      "cadastro",
      "contribuinte",
      "pessoa física",
      "receita federal",
    ],
    score: 0.97,
  },
  positives: [
    ["CPF 482.139.075-23", "482.139.075-23"],
    ["cpf: 48213907523", "48213907523"],
  ],
  negatives: ["CPF 482.139.075-00", "111.111.111-11", "id 48213907500"],
};
