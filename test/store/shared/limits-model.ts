import type { UsageWindow } from "../../../src/contract/usage-limit.ts";
import type {
  CapAfter,
  CapGrantReply,
  CapTerms,
  RateGrantReply,
} from "../../../src/store/shared/limit-functions.ts";
import type { CapUse } from "../../../src/store/windows/usage-count.ts";
import type { RateUnits } from "../../../src/store/windows/rate-return.ts";
import { bucketMs } from "../../../src/store/windows/usage-ring.ts";

interface Share {
  units: number;
  frozenUntilMs: number | null;
}

interface Cap {
  readonly bucketMs: number;
  newest: number;
  readonly buckets: Map<number, bigint>;
  readonly grants: Map<number, bigint>;
}

/** What `2_limits.sql` does, written a second time: in memory, one call after the other, for gateways that are live. */
export class LimitsModel {
  readonly rates = new Map<string, Map<number, Share>>();
  readonly caps = new Map<string, Cap>();
  readonly #nowMs: () => number;
  readonly #live: () => number;

  constructor(nowMs: () => number, live: () => number) {
    this.#nowMs = nowMs;
    this.#live = live;
  }

  shareOf(id: string, gateway: number): number {
    return this.rates.get(id)?.get(gateway)?.units ?? 0;
  }

  grantOf(id: string, gateway: number): bigint {
    return this.caps.get(id)?.grants.get(gateway) ?? 0n;
  }

  grantRate(
    gateway: number,
    id: string,
    need: number,
    wish: number,
    limit: number,
  ): RateGrantReply {
    const shares = this.rates.get(id) ?? new Map<number, Share>();
    this.rates.set(id, shares);
    for (const [one, { frozenUntilMs }] of shares) {
      if (frozenUntilMs !== null && frozenUntilMs <= this.#nowMs()) shares.delete(one);
    }
    const free = limit - sumOf(shares);
    const before = shares.get(gateway)?.units ?? 0;
    if (free < need) {
      return { outcome: "scarce", units: 0, free: Math.max(free, 0), own: before };
    }
    const units = Number(this.#given(BigInt(need), BigInt(wish), BigInt(free), BigInt(free)));
    shares.set(gateway, { units: before + units, frozenUntilMs: null });
    return { outcome: "granted", units, free: Math.max(free - units, 0), own: before + units };
  }

  grantCap(gateway: number, terms: CapTerms, need: bigint, wish: bigint): CapGrantReply {
    const cap = this.#advanced(terms.id, terms.window);
    const { used, granted, own } = after(cap, gateway);
    const free = terms.threshold - used - granted;
    const fits = terms.hard ? need : 1n;
    const ownIdle = terms.idle < own ? terms.idle : own;
    if (free + (terms.hard ? 0n : ownIdle) < fits) {
      const waitMs = this.#roomAfterMs(cap, used + fits - terms.threshold);
      return { outcome: "scarce", amount: 0n, waitMs, used, granted, own };
    }
    const amount = this.#given(need, wish, free, 8n * need);
    cap.grants.set(gateway, own + amount);
    return { outcome: "granted", amount, waitMs: 0, ...after(cap, gateway) };
  }

  flush(
    gateway: number,
    usage: readonly CapUse[],
    returns: readonly RateUnits[],
  ): ReadonlyMap<string, CapAfter> {
    const touched = new Map<string, CapAfter>();
    for (const { id, window, amount, released } of usage) {
      const cap = this.#advanced(id, window);
      count(cap, amount);
      const own = cap.grants.get(gateway);
      if (own !== undefined) cap.grants.set(gateway, own > released ? own - released : 0n);
      touched.set(id, after(cap, gateway));
    }
    for (const { id, units } of returns) {
      const share = this.rates.get(id)?.get(gateway);
      if (share !== undefined) share.units = Math.max(share.units - units, 0);
    }
    return touched;
  }

  end(gateway: number, state: "fenced" | "left"): void {
    for (const [id, { grants }] of this.caps) {
      const had = grants.get(gateway) ?? 0n;
      grants.delete(gateway);
      if (had > 0n) count(this.#advanced(id, "hour"), state === "fenced" ? had : 0n);
    }
    for (const shares of this.rates.values()) {
      const share = shares.get(gateway);
      if (share?.units === 0) shares.delete(gateway);
      else if (share !== undefined) share.frozenUntilMs = this.#nowMs() + 61_000;
    }
  }

  usedOf(id: string): bigint | undefined {
    const cap = this.caps.get(id);
    if (cap === undefined) return undefined;
    const tick = Math.max(cap.newest, Math.floor(this.#nowMs() / cap.bucketMs));
    return sum([...cap.buckets].filter(([at]) => at >= tick - 120).map(([, amount]) => amount));
  }

  /** What counts, as text. */
  state(): string {
    const rates = [...this.rates].flatMap(([id, shares]) =>
      [...shares].map(([gateway, { units, frozenUntilMs }]) => {
        return [id, gateway, units, frozenUntilMs].join(" ");
      }),
    );
    const caps = [...this.caps].flatMap(([id, { buckets, grants, newest }]) => [
      [id, newest].join(" "),
      ...[...buckets].map(([tick, amount]) => [id, "bucket", tick, amount].join(" ")),
      ...[...grants].map(([gateway, amount]) => [id, "grant", gateway, amount].join(" ")),
    ]);
    return [...rates, ...caps].sort().join("\n");
  }

  #advanced(id: string, window: UsageWindow): Cap {
    let cap = this.caps.get(id);
    if (cap === undefined) {
      const empty = {
        newest: 0,
        buckets: new Map<number, bigint>(),
        grants: new Map<number, bigint>(),
      };
      this.caps.set(id, (cap = { bucketMs: bucketMs(window), ...empty }));
    }
    cap.newest = Math.max(cap.newest, Math.floor(this.#nowMs() / cap.bucketMs));
    for (const tick of cap.buckets.keys()) if (tick < cap.newest - 120) cap.buckets.delete(tick);
    return cap;
  }

  #given(need: bigint, wish: bigint, free: bigint, most: bigint): bigint {
    const plenty = need + (free - need) / BigInt(8 * this.#live());
    const wished = max(wish, free / 64n >= need ? min(most, plenty) : 0n);
    return max(need, min(free, wished));
  }

  #roomAfterMs(cap: Cap, excess: bigint): number {
    if (excess <= 0n) return 0;
    let left = 0n;
    for (const [tick, amount] of [...cap.buckets].sort(([one], [other]) => one - other)) {
      left += amount;
      if (left >= excess) return Math.max((tick + 121) * cap.bucketMs - this.#nowMs(), 1);
    }
    return 120 * cap.bucketMs;
  }
}

function after({ buckets, grants }: Cap, gateway: number): CapAfter {
  const used = sum(buckets.values());
  return { used, granted: sum(grants.values()), own: grants.get(gateway) ?? 0n };
}

function count({ buckets, newest }: Cap, amount: bigint): void {
  if (amount > 0n) buckets.set(newest, (buckets.get(newest) ?? 0n) + amount);
}

function sumOf(shares: ReadonlyMap<number, Share>): number {
  return [...shares.values()].reduce((sum, { units }) => sum + units, 0);
}

function sum(amounts: Iterable<bigint>): bigint {
  return [...amounts].reduce((sum, amount) => sum + amount, 0n);
}

function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
