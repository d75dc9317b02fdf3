import { readFileSync } from "node:fs";
import type { PriceFile } from "./price-file.ts";

/**
 * The file lies beside the sources. The path is right from dist/ and from src/. The build compiles
 * TypeScript and copies no other file.
 */
const pricesUrl = new URL("../../src/billing/prices.json", import.meta.url);

/** The gateway's built-in prices (docs/pricing.md). Throws if the file is missing. */
export function readSeedPrices(): PriceFile {
  // scripts/generate-prices.ts writes the file and checks it against its type; a test reads every
  // entry.
  return JSON.parse(readFileSync(pricesUrl, "utf8")) as PriceFile;
}
