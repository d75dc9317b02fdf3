import { refuse } from "../contract/errors.ts";
import type { MicroUsd } from "../contract/money.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { Rate, ScanRates } from "../contract/pricing.ts";
import { priceVersion } from "./price-version.ts";
import { addRates, amountOf, parseRate, zeroRate } from "./rate.ts";

/** The billed quantities of a scan (spec: Billing of scans and requests 2). */
export interface BillableScan {
  /**
   * Tokens that were sent to detectors. For the reservation before the scan, an upper bound of
   * them.
   */
  readonly billableTokens: number;
  readonly injection: boolean;
  /** Any of `pii`, `phi`, `credential` or custom patterns. */
  readonly entities: boolean;
}

/**
 * The price of a scan, as the contract defines it (spec: Billing of scans and requests 3). A price
 * that is too small for a micro-dollar is rounded to 0 like any other, and then nothing is debited. It
 * never falls when tokens rise, so the price of an upper bound of the tokens covers the debit. Errors:
 * `pricing_unavailable` if a requested family has no valid price.
 */
export function scanCostMicroUsd(scan: BillableScan, rates: ScanRates): Outcome<MicroUsd> {
  const injection = scan.injection ? rates.injection : zeroRate;
  const entity = scan.entities ? rates.entity : zeroRate;
  if (injection === null || entity === null) {
    const [family, setting] =
      injection === null
        ? ["prompt injection", "injectionUsdPerMillion"]
        : ["entities", "entityUsdPerMillion"];
    return refuse(
      "pricing_unavailable",
      `Scans for ${family} have no valid price. Trying again does not help; pricing.scan.${setting} in the gateway's configuration sets one.`,
    );
  }
  const chargedTokens = Math.max(scan.billableTokens, rates.minimumBillableTokens);
  return accept(amountOf(BigInt(chargedTokens) * addRates(injection, entity), "half_up"));
}

/**
 * An upper bound of the tokens that a scan of `contentBytes` bills, without tokenizing. A token of a
 * byte-level tokenizer stands for at least one byte. Structured content is tokenized as its
 * canonical JSON, in which a number such as `1e20` may be longer than in the request.
 */
export function scanTokensMax(contentBytes: number): number {
  return contentBytes * canonicalFormFactor;
}

/** `1e20` is 4 bytes; as canonical JSON it has 21 digits, which are 7 tokens of the scan's tokenizer. */
const canonicalFormFactor = 2;

interface ScanPrices {
  readonly injectionUsdPerMillion: string;
  readonly entityUsdPerMillion: string;
  readonly minimumBillableTokens: number;
}

/** Rates from decimal strings in US dollars per million tokens; an invalid string means no price. */
export function scanRates(prices: ScanPrices): ScanRates {
  const { injectionUsdPerMillion, entityUsdPerMillion, minimumBillableTokens } = prices;
  return {
    version: priceVersion([injectionUsdPerMillion, entityUsdPerMillion, minimumBillableTokens]),
    injection: rateOrNone(injectionUsdPerMillion),
    entity: rateOrNone(entityUsdPerMillion),
    minimumBillableTokens,
  };
}

function rateOrNone(usdPerMillion: string): Rate | null {
  return parseRate(usdPerMillion) ?? null;
}
