import { bech32Variant } from "../checksums/bech32.ts";
import type { EntityDetector } from "../entity.ts";

export const bech32Address: EntityDetector = {
  id: "bech32-address",
  entityType: "CRYPTO",
  label: "CRYPTO",
  category: "pii",
  description: "A Bitcoin or Litecoin address in Bech32 or Bech32m.",
  keywords: ["bc1", "tb1", "ltc1"],
  pattern: String.raw`\b(?:bc|tb|ltc)1[02-9ac-hj-np-z]{11,71}\b`,
  caseInsensitive: true,
  score: 0.95,
  validate: (value) => bech32Variant(value) !== undefined,
  positives: [
    [
      "btc: bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    ],
  ],
  negatives: ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "bc1qqqqqqqqqqqqqq"],
};
