import { createHash } from "node:crypto";

/** 64 bits: enough that no two real price lists have the same version. */
const versionChars = 16;

/** The name of a price list on the ledger entries that were computed with it. */
export function priceVersion(...lists: readonly unknown[]): string {
  const hash = createHash("sha256");
  for (const list of lists) hash.update(JSON.stringify(list));
  return hash.digest("hex").slice(0, versionChars);
}
