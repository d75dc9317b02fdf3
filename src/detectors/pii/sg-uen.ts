import { weightedSum } from "../checksums/weighted-sum.ts";
import type { EntityDetector } from "../entity.ts";

const business = [[10, 4, 9, 3, 8, 2, 7, 1], "XMKECAWLJDB"] as const;
const company = [[10, 8, 6, 4, 9, 7, 5, 3, 1], "ZKCMDNERGWH"] as const;

export const sgUen: EntityDetector = {
  id: "sg-uen",
  entityType: "SG_UEN",
  label: "UEN",
  category: "pii",
  description: "A Singaporean entity number, by its check letter.",
  keywords: [],
  pattern: String.raw`\b(?:(?:18|19|20)\d{7}[A-Z]|\d{8}[A-Z]|[TRS]\d{2}(?:LP|LL|FC|PF|RF|MQ|MM|NB|CC|CS|MB|FM|GS|GA|GB|DP|CP|NR|CM|CD|MD|HS|VH|CH|MH|CL|XL|CX|RP|TU|TC|FB|FN|PA|PB|SS|MC|SM)\d{4}[A-Z])\b`,
  caseInsensitive: true,
  score: 0.85,
  validate: (written) => {
    const value = written.toUpperCase();
    if (/^[TRS]/.test(value)) return isOtherEntity(value) ? 0.85 : 0.4;
    const [weights, letters] = value.length === 9 ? business : company;
    return letters.charAt(weightedSum(value, weights) % 11) === value.slice(-1) && 0.6;
  },
  context: {
    words: ["uen", "unique entity number", "acra", "singapore", "business registration"],
    score: 0.95,
  },
  positives: [
    ["UEN 201482130H", "201482130H"],
    ["T14LL4821E", "T14LL4821E"],
    ["UEN 54821393C", "54821393C"],
  ],
  negatives: ["201482130B is 9", "T14ZZ4821A"],
};

/** Whether this is the number of an entity that is neither a business nor a company. */
function isOtherEntity(value: string): boolean {
  const alphabet = "ABCDEFGHJKLMNPQRSTUVWX0123456789";
  const weights = [4, 3, 5, 3, 10, 2, 2, 5, 7];
  const sum = weights.reduce((total, weight, index) => {
    return total + weight * alphabet.indexOf(value.charAt(index));
  }, 0);
  return alphabet.charAt((sum - 5) % 11) === value.slice(-1);
}
