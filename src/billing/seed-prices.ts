import { readFileSync } from "node:fs";
import type { PriceFile } from "./price-file.ts";

/** Beside the sources, from dist/ as from src/: the build compiles TypeScript and copies nothing. */
const pricesUrl = new URL("../../src/billing/prices.json", import.meta.url);

/** The prices that the gateway comes with (docs/pricing.md). Throws where the file is gone. */
export function readSeedPrices(): PriceFile {
  // Written by scripts/generate-prices.ts and held against its type there; a test reads every entry.
  return JSON.parse(readFileSync(pricesUrl, "utf8")) as PriceFile;
}
