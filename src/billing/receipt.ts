import { microUsd, type MicroUsd } from "../contract/money.ts";
import type { Price, ScanRates } from "../contract/pricing.ts";
import type { UsageBucketName, UsageBuckets } from "../contract/usage.ts";
import { unitsTimesRates } from "./cost.ts";
import { amountOf } from "./rate.ts";
import { cardOf, periodAt } from "./rate-selection.ts";

/** What a line of a receipt counts. */
export type ReceiptUnit = UsageBucketName | "request" | "injectionScan" | "entityScan";

export interface ReceiptLine {
  readonly unit: ReceiptUnit;
  readonly units: number;
  /** A decimal without zeros at its end. */
  readonly usdPerMillion: string;
  /** The exact product, not rounded. */
  readonly amountUsd: string;
}

export interface Receipt {
  readonly lines: readonly ReceiptLine[];
  /** The sum of the lines, rounded once. */
  readonly total: MicroUsd;
}

/** How the prices of `at` (milliseconds since 1970) lead from usage to a cost; null if a rate is missing. */
export function receiptOf(
  buckets: UsageBuckets,
  price: Price,
  serviceTier: string | null,
  at: number,
): Receipt | null {
  const period = periodAt(price, at);
  const card = period === undefined ? undefined : cardOf(period, serviceTier);
  if (card === undefined) return null;
  const lines: ReceiptLine[] = [];
  const sum = unitsTimesRates(buckets, card, (unit, units, rate) => {
    if (rate > 0n || unit !== "request") lines.push(lineOf(unit, units, rate));
  });
  return sum === undefined ? null : { lines, total: amountOf(sum, "half_up") };
}

/** The same for a scan. `families` are those that it has asked for. null if a rate is missing. */
export function scanReceiptOf(
  billableTokens: number,
  families: { readonly injection: boolean; readonly entities: boolean },
  rates: ScanRates,
): Receipt | null {
  const charged = Math.max(billableTokens, rates.minimumBillableTokens);
  const lines: ReceiptLine[] = [];
  let sum = 0n;
  for (const [unit, isAsked, rate] of [
    ["injectionScan", families.injection, rates.injection],
    ["entityScan", families.entities, rates.entity],
  ] as const) {
    if (!isAsked) continue;
    if (rate === null) return null;
    lines.push(lineOf(unit, charged, rate));
    sum += BigInt(charged) * rate;
  }
  return { lines, total: lines.length === 0 ? microUsd(0n) : amountOf(sum, "half_up") };
}

/** Places of a `Rate` in US dollars for a million units; a product has six more. */
const ratePlaces = 18;

function lineOf(unit: ReceiptUnit, units: number, rate: bigint): ReceiptLine {
  return {
    unit,
    units,
    usdPerMillion: decimal(rate, ratePlaces),
    amountUsd: decimal(BigInt(units) * rate, ratePlaces + 6),
  };
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}
