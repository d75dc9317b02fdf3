import { readFileSync } from "node:fs";
import type { PriceFile } from "./price-file.ts";

/** Beside the sources, from dist/ as from src/: the build compiles TypeScript and copies nothing. */
const pricesUrl = new URL("../../src/billing/prices.json", import.meta.url);

/** The gateway's built-in prices (docs/pricing.md). Throws if the file is missing. */
export function readSeedPrices(): PriceFile {
  // scripts/generate-prices.ts writes the file and checks it against its type; a test reads every
  // entry.
  return JSON.parse(readFileSync(pricesUrl, "utf8")) as PriceFile;
}
