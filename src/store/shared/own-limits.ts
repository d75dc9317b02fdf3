import type { Flush } from "./functions.ts";
import type { RateUnits } from "../windows/rate-return.ts";

/** What has come of limits without an answer. */
export interface LateLimits {
  readonly rates: readonly RateUnits[];
  readonly caps: readonly { readonly id: string; readonly amount: bigint }[];
}

/** The shares and grants that the store has told a gateway of, less what its flushes have taken. */
export class OwnLimits {
  readonly #rates = new Map<string, bigint>();
  readonly #caps = new Map<string, bigint>();

  grantedRate(id: string, units: number): void {
    raise(this.#rates, id, BigInt(units));
  }

  grantedCap(id: string, amount: bigint): void {
    raise(this.#caps, id, amount);
  }

  /** A flush was applied. */
  took({ usage, rateReturns }: Pick<Flush, "usage" | "rateReturns">): void {
    for (const { id, units } of rateReturns) {
      raise(this.#rates, id, BigInt(-units));
    }
    for (const { id, released } of usage) raise(this.#caps, id, -released);
  }

  /** What the store has beyond that; it is known from now on. */
  late(rates: ReadonlyMap<string, number>, caps: ReadonlyMap<string, bigint>): LateLimits {
    const lateRates = [...rates].flatMap(([id, units]) => {
      const late = units - Number(this.#rates.get(id) ?? 0n);
      return late > 0 ? [{ id, units: late }] : [];
    });
    const lateCaps = [...caps].flatMap(([id, own]) => {
      const amount = own - (this.#caps.get(id) ?? 0n);
      return amount > 0n ? [{ id, amount }] : [];
    });
    for (const { id, units } of lateRates) this.grantedRate(id, units);
    for (const { id, amount } of lateCaps) this.grantedCap(id, amount);
    return { rates: lateRates, caps: lateCaps };
  }
}

/** Nothing is kept for what nothing is left of. The store takes no more than there is. */
function raise(amounts: Map<string, bigint>, id: string, by: bigint): void {
  const after = (amounts.get(id) ?? 0n) + by;
  if (after <= 0n) amounts.delete(id);
  else amounts.set(id, after);
}
