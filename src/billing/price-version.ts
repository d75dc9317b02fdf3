import { createHash } from "node:crypto";

/** 64 bits: no two lists of prices that anyone ever wrote are taken for each other. */
const versionChars = 16;

/** What names a list of prices on the ledger entries that were computed with it. */
export function priceVersion(...lists: readonly unknown[]): string {
  const hash = createHash("sha256");
  for (const list of lists) hash.update(JSON.stringify(list));
  return hash.digest("hex").slice(0, versionChars);
}
