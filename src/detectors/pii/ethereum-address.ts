import { keccak256 } from "../checksums/keccak256.ts";
import type { EntityDetector } from "../entity.ts";

const words = ["wallet", "btc", "bitcoin", "crypto", "eth", "ethereum", "address", "coins", "usdt"];

export const ethereumAddress: EntityDetector = {
  id: "ethereum-address",
  entityType: "CRYPTO",
  label: "CRYPTO",
  category: "pii",
  description:
    "An Ethereum address; where its letters are of mixed case, its EIP-55 checksum fits.",
  keywords: ["0x"],
  pattern: String.raw`\b0x[0-9a-fA-F]{40}\b`,
  score: 0.95,
  validate: (value) => {
    const digits = value.slice(2);
    if (/^(.)\1+$/.test(digits)) return false;
    // Without a checksum it may be any other hash of 160 bits.
    if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return 0.45;
    return hasMixedCaseChecksum(digits) && 0.95;
  },
  context: { words, score: 0.9 },
  positives: [
    [
      "wallet 0xA5875Da514CD7395CB92Fe362ed41F846f3C72Ac",
      "0xA5875Da514CD7395CB92Fe362ed41F846f3C72Ac",
    ],
    [
      "my ETH address: 0xa5875da514cd7395cb92fe362ed41f846f3c72ac",
      "0xa5875da514cd7395cb92fe362ed41f846f3c72ac",
    ],
  ],
  negatives: [
    "0xa5875Da514cD7395CB92Fe362ed41F846f3C72Ac",
    "0x0000000000000000000000000000000000000000",
    "commit 0xa5875da514cd7395cb92fe362ed41f846f3c72acaa",
  ],
};

/**
 * EIP-55: a letter is a capital if the hash of the lower-case text has a nibble of 8 or more at its
 * place.
 */
function hasMixedCaseChecksum(digits: string): boolean {
  const lowerCase = digits.toLowerCase();
  const hash = keccak256(Buffer.from(lowerCase)).toString("hex");
  return [...lowerCase].every((character, index) => {
    const capital = Number.parseInt(hash.charAt(index), 16) >= 8;
    return digits.charAt(index) === (capital ? character.toUpperCase() : character);
  });
}
