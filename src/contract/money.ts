import { refuse } from "./errors.ts";
import { usdWholeDigitsMax } from "./limits.ts";
import { accept, type Outcome } from "./outcome.ts";

declare const microUsdBrand: unique symbol;

/**
 * An amount in millionths of a US dollar, whole. The only form in which money is added, compared or
 * stored; no float touches it (design section 5).
 */
export type MicroUsd = bigint & { readonly [microUsdBrand]: true };

export const microUsdPerUsd = 1_000_000n;
export const microUsdPerCent = 10_000n;

/** Marks an integer as an amount. A fraction must be rounded with the rounding function first. */
export function microUsd(amount: bigint): MicroUsd {
  return amount as MicroUsd;
}

export const zeroUsd: MicroUsd = microUsd(0n);

const usdText = new RegExp(`^(0|[1-9][0-9]{0,${usdWholeDigitsMax - 1}})(?:\\.([0-9]{1,6}))?$`);

/**
 * Reads a decimal string such as `"1.25"`: no sign, no exponent, no leading zeros, at most six
 * places and `usdWholeDigitsMax` digits before them. Errors: `invalid_request`.
 */
export function parseUsd(text: string): Outcome<MicroUsd> {
  const parts = usdText.exec(text);
  if (parts === null) {
    return refuse(
      "invalid_request",
      'An amount in US dollars must be a decimal string such as "1.25" with at most six places.',
    );
  }
  const [, whole = "0", places = ""] = parts;
  return accept(microUsd(BigInt(whole) * microUsdPerUsd + BigInt(places.padEnd(6, "0"))));
}

/** US dollars with six places, as `X-Svc-Cost-Usd` and the ledger have them: `"1.250000"`. */
export function formatUsd(amount: MicroUsd): string {
  const sign = amount < 0n ? "-" : "";
  const digits = amount.toString().replace("-", "").padStart(7, "0");
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Whole cents, rounded down, for a shown balance (spec: Response headers, Balance refusals 1). */
export function centsDown(amount: MicroUsd): number {
  const rest = amount % microUsdPerCent;
  return Number(amount / microUsdPerCent) - (rest < 0n ? 1 : 0);
}

/** The nearest whole cents, for a shown debit (spec: Billing of scans and requests 5). */
export function centsRounded(amount: MicroUsd): number {
  return centsDown(microUsd(amount + microUsdPerCent / 2n));
}

/** Whole cents, rounded up, for a shown estimate, so that it is never too low. */
export function centsUp(amount: MicroUsd): number {
  const rest = amount % microUsdPerCent;
  return Number(amount / microUsdPerCent) + (rest > 0n ? 1 : 0);
}

/** Whole cents as US dollars, for a person: `"$12.05"`. */
export function centsText(cents: number): string {
  return `${cents < 0 ? "-" : ""}$${(Math.abs(cents) / 100).toFixed(2)}`;
}
