import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { RateUnits } from "../windows/rate-return.ts";
import type { CapUse } from "../windows/usage-count.ts";
import type { Amount, AppliedFlush, FlushedDebit } from "./functions.ts";

/** What has come of limits without an answer. */
export interface LateLimits {
  readonly rates: readonly RateUnits[];
  readonly caps: readonly { readonly id: string; readonly amount: bigint }[];
}

/** What the store has granted to a gateway. */
export interface StoredAllowances {
  /** Escrow by organization. */
  readonly money: ReadonlyMap<string, bigint>;
  /** Units by rate limit. */
  readonly rates: ReadonlyMap<string, number>;
  /** Amounts by usage limit or budget. */
  readonly caps: ReadonlyMap<string, bigint>;
}

/** What a flush takes from them. */
interface TakingFlush {
  readonly debits: readonly Pick<FlushedDebit, "requestId" | "orgId" | "paid">[];
  readonly returns: readonly Amount[];
  readonly usage: readonly Pick<CapUse, "id" | "released">[];
  readonly rateReturns: readonly RateUnits[];
}

/**
 * The allowances that the store has told a gateway of, less what its flushes have taken. What the store has beyond
 * them was granted with an answer that was lost.
 */
export class KnownAllowances {
  readonly #money = new Map<string, bigint>();
  readonly #rates = new Map<string, bigint>();
  readonly #caps = new Map<string, bigint>();

  grantedMoney(orgId: string, amount: MicroUsd): void {
    raise(this.#money, orgId, amount);
  }

  grantedRate(id: string, units: number): void {
    raise(this.#rates, id, BigInt(units));
  }

  grantedCap(id: string, amount: bigint): void {
    raise(this.#caps, id, amount);
  }

  /** A flush was applied. A debit that it could not pay has taken nothing. */
  took(flush: TakingFlush, reply: Pick<AppliedFlush, "owed" | "refused">): void {
    const unpaid = new Set([...reply.owed, ...reply.refused]);
    for (const { requestId, orgId, paid } of flush.debits) {
      if (!unpaid.has(requestId)) lower(this.#money, orgId, paid);
    }
    for (const { orgId, amount } of flush.returns) lower(this.#money, orgId, amount);
    for (const { id, units } of flush.rateReturns) lower(this.#rates, id, BigInt(units));
    for (const { id, released } of flush.usage) lower(this.#caps, id, released);
  }

  /** The money that the store has beyond what was known; it is known from now on. */
  lateMoney({ money }: StoredAllowances): readonly Amount[] {
    const late = beyond(money, this.#money);
    return late.map(({ id, amount }) => ({ orgId: id, amount: microUsd(amount) }));
  }

  /** The same of limits. */
  lateLimits({ rates, caps }: StoredAllowances): LateLimits {
    const units = new Map(Array.from(rates, ([id, units]) => [id, BigInt(units)]));
    const lateRates = beyond(units, this.#rates);
    return {
      rates: lateRates.map(({ id, amount }) => ({ id, units: Number(amount) })),
      caps: beyond(caps, this.#caps),
    };
  }
}

/** What `stored` has beyond `known`, which has it then too. */
function beyond(
  stored: ReadonlyMap<string, bigint>,
  known: Map<string, bigint>,
): { readonly id: string; readonly amount: bigint }[] {
  const late = Array.from(stored, ([id, amount]) => ({
    id,
    amount: amount - (known.get(id) ?? 0n),
  })).filter(({ amount }) => amount > 0n);
  for (const { id, amount } of late) raise(known, id, amount);
  return late;
}

function raise(amounts: Map<string, bigint>, id: string, by: bigint): void {
  amounts.set(id, (amounts.get(id) ?? 0n) + by);
}

/** Nothing is kept for what nothing is left of. The store takes no more than there is. */
function lower(amounts: Map<string, bigint>, id: string, by: bigint): void {
  const after = (amounts.get(id) ?? 0n) - by;
  if (after <= 0n) amounts.delete(id);
  else amounts.set(id, after);
}
