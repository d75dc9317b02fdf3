import { createHash } from "node:crypto";
import {
  grantWaitsMs,
  limitLookMs,
  limitsLookedAtMax,
  limitSlotsLookedAt,
} from "../../contract/limits.ts";
import type { JournalOperation } from "../journal/batch.ts";
import type { EscrowedUsageWindows } from "../windows/escrowed-usage-windows.ts";
import type { LimitAnswer, LimitGrants, RateTable } from "../windows/limit-grants.ts";
import type { RateUnits } from "../windows/rate-return.ts";
import type { SharedRateWindows } from "../windows/shared-rate-windows.ts";
import type { CapUse } from "../windows/usage-count.ts";
import type { UsageCap } from "../windows/usage-windows.ts";
import type { SharedCalls } from "./calls.ts";
import type { AppliedFlush } from "./functions.ts";
import { GrantPool, type GrantPoolOptions } from "./grant-pool.ts";
import type { LateLimits } from "./known-allowances.ts";
import type { CapTerms } from "./limit-functions.ts";

export interface SharedLimitsOptions {
  readonly calls: Pick<SharedCalls, "grantRate" | "grantCap" | "usedOfCaps" | "forgetCaps">;
  readonly rates: SharedRateWindows;
  readonly passthrough: SharedRateWindows;
  readonly usage: EscrowedUsageWindows;
  /** Writes what is returned with the next flush. */
  readonly append: (operation: JournalOperation) => void;
  /** Begins that flush now, because somebody waits for it. */
  readonly hurry: () => void;
  readonly nowMs?: () => number;
  /** As `GrantPoolOptions`; absent: the time passes. */
  readonly wait?: GrantPoolOptions["wait"];
}

/** A rate limit that this gateway has asked for. */
interface Rate {
  readonly windows: SharedRateWindows;
  readonly id: string;
  readonly pool: GrantPool;
  /** What was idle a second ago. */
  idleBefore: number;
  /** How often the limit may have changed. What was asked for before a change is not used after it. */
  changes: number;
}

interface Cap {
  readonly window: UsageCap["window"];
  readonly pool: GrantPool;
  idleBefore: bigint;
  changes: number;
}

/**
 * This gateway's parts of limits that several gateways share: it asks for more when they are used up, and returns what
 * was idle for about a second, or at once if others ask for it. The memory of the windows is never above what the store
 * has: it is raised after a grant, and lowered before a return. For the main thread.
 */
export class SharedLimits implements LimitGrants {
  readonly #options: SharedLimitsOptions;
  /** By the store's name. */
  readonly #rates = new Map<string, Rate>();
  readonly #caps = new Map<string, Cap>();
  readonly #pools: GrantPoolOptions;
  readonly #timer: NodeJS.Timeout;
  /** Where the next look goes on. */
  #nextRates: Iterator<[string, Rate]> | null = null;
  #nextCaps: Iterator<[string, Cap]> | null = null;
  #nextSlot = 0;
  #closed = false;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
    const { nowMs = () => performance.now(), wait = timePassed } = options;
    this.#pools = { nowMs, waitsMs: grantWaitsMs, wait };
    this.#timer = setInterval(() => this.look(), limitLookMs).unref();
  }

  rate(table: RateTable, id: string, limit: number, short: number): Promise<LimitAnswer> {
    const name = nameOf(table, id);
    const rate = getOr(this.#rates, name, () => {
      const pool = new GrantPool(this.#pools);
      return { windows: this.#options[table], id, pool, idleBefore: 0, changes: 0 };
    });
    return rate.pool.wait(BigInt(short), (need, wish) =>
      this.#askRate(name, rate, limit, Number(need), Number(wish)),
    );
  }

  cap(cap: UsageCap, short: bigint): Promise<LimitAnswer> {
    const { id, window, threshold, hard } = cap;
    const known = getOr(this.#caps, id, () => {
      return { window, pool: new GrantPool(this.#pools), idleBefore: 0n, changes: 0 };
    });
    const { usage } = this.#options;
    return known.pool.wait(short, (need, wish) => {
      const terms = { id, window, threshold, hard, idle: usage.idle(id) };
      return this.#askCap(terms, known, need, wish);
    });
  }

  /** What all gateways have used, as far as they have flushed it. If the store can't be asked: what is known here. */
  async used(cap: Pick<UsageCap, "id" | "window">): Promise<bigint> {
    try {
      return (await this.#options.calls.usedOfCaps([cap])).get(cap.id) ?? 0n;
    } catch {
      return this.#options.usage.used(cap);
    }
  }

  /** Forgets caps for good. Rejects if the store can't be reached. */
  async forget(ids: readonly string[]): Promise<void> {
    await this.#options.calls.forgetCaps(ids);
    for (const id of ids) {
      this.#caps.delete(id);
      this.#options.usage.table.remove(id);
    }
  }

  /** A flush was applied. */
  applied({ caps }: Pick<AppliedFlush, "caps">): void {
    for (const [id, { used, granted }] of caps) this.#options.usage.heard(id, used + granted);
  }

  /** What has come without an answer is not needed any more: it goes back. */
  late({ rates, caps }: LateLimits): void {
    this.#return(
      rates,
      caps.map(({ id, amount }) => {
        return { id, window: this.#caps.get(id)?.window ?? "hour", amount: 0n, released: amount };
      }),
    );
  }

  /** Others need what this gateway does not use of a limit: "rate ID" or "cap ID". */
  recall(pool: string): void {
    const name = pool.slice(pool.indexOf(" ") + 1);
    const rate = pool.startsWith("rate ") ? this.#rates.get(name) : undefined;
    const cap = pool.startsWith("cap ") ? this.#caps.get(name) : undefined;
    if (rate !== undefined) this.#return(this.#idleOfRate(name, rate, Infinity), []);
    if (cap !== undefined) this.#return([], this.#idleOfCap(name, cap, null));
    this.#options.hurry();
  }

  /**
   * Limits of these organizations, keys and usage limits may have changed. Parts that were given for the limits of
   * before go back, unless requests use them.
   */
  changed(ids: readonly string[]): void {
    const rates: RateUnits[] = [];
    const caps: CapUse[] = [];
    const isChanged = (name: string): boolean => ids.some((id) => name.includes(id));
    for (const [name, rate] of this.#rates) {
      if (!isChanged(name)) continue;
      rate.changes += 1;
      rate.pool.forgetScarce();
      rates.push(...this.#idleOfRate(name, rate, Infinity));
    }
    for (const [name, cap] of this.#caps) {
      if (!isChanged(name)) continue;
      cap.changes += 1;
      cap.pool.forgetScarce();
      caps.push(...this.#idleOfCap(name, cap, null));
    }
    this.#return(rates, caps);
  }

  /**
   * This gateway was fenced: all parts are gone. What it has used of rates the store keeps for 61 seconds, so the windows
   * begin anew.
   */
  lost(epoch: number): void {
    const { rates, passthrough, usage } = this.#options;
    usage.forgetAll(epoch);
    for (const { table } of [rates, passthrough]) {
      for (let index = 0; index < table.end; index += 1) {
        while (
          table.reclaim(index, () => true) === undefined &&
          table.look(index, () => undefined)
        );
      }
    }
    for (const rate of this.#rates.values()) rate.idleBefore = 0;
    for (const cap of this.#caps.values()) cap.idleBefore = 0n;
  }

  /** Runs every `limitLookMs`: looks at a bounded number of limits, at each about once a second. */
  look(): void {
    const rates: RateUnits[] = [];
    const caps: CapUse[] = [];
    for (const [name, rate] of this.#someRates()) {
      const idle = rate.windows.idleShare(rate.id);
      rates.push(...this.#idleOfRate(name, rate, Math.min(idle, rate.idleBefore)));
      rate.idleBefore = rate.windows.idleShare(rate.id);
      if (rate.pool.isIdle && rate.windows.share(rate.id) === 0) this.#rates.delete(name);
    }
    for (const [name, cap] of this.#someCaps()) {
      const { usage } = this.#options;
      const idle = usage.idle(name);
      const most = idle < cap.idleBefore ? idle : cap.idleBefore;
      caps.push(...this.#idleOfCap(name, cap, most));
      cap.idleBefore = usage.idle(name);
      if (cap.pool.isIdle && usage.isUnused(name)) this.#caps.delete(name);
    }
    this.#return(rates, caps);
    this.#makeRoom();
  }

  /** Returns everything that is idle; to be called before the last flush. */
  close(): void {
    clearInterval(this.#timer);
    const rates = [...this.#rates].flatMap(([name, one]) => this.#idleOfRate(name, one, Infinity));
    const caps = [...this.#caps].flatMap(([name, one]) => this.#idleOfCap(name, one, null));
    this.#return(rates, caps);
    this.#closed = true;
  }

  async #askRate(
    name: string,
    rate: Rate,
    limit: number,
    need: number,
    wish: number,
  ): Promise<LimitAnswer> {
    const { windows, id, changes } = rate;
    const reply = await this.#options.calls.grantRate(name, need, Math.min(wish, limit), limit);
    if (reply.outcome === "scarce") return { outcome: "scarce", waitMs: 0, usage: 0n };
    if (reply.outcome !== "granted") return { outcome: "away" };
    const isCurrent = rate.changes === changes;
    if (isCurrent && windows.raiseShare(id, reply.units, reply.free)) return { outcome: "granted" };
    this.#return([{ id: name, units: reply.units }], []);
    // After a change the request tries again, under the limit of now.
    return { outcome: isCurrent ? "away" : "granted" };
  }

  async #askCap(terms: CapTerms, cap: Cap, need: bigint, wish: bigint): Promise<LimitAnswer> {
    const { calls, usage } = this.#options;
    const { id, window } = terms;
    const { changes } = cap;
    const reply = await calls.grantCap(terms, need, wish);
    if (!("amount" in reply)) return { outcome: "away" };
    const total = reply.used + reply.granted;
    if (reply.outcome === "scarce") {
      usage.heard(id, total);
      return { outcome: "scarce", waitMs: reply.waitMs, usage: total };
    }
    const isCurrent = cap.changes === changes;
    if (isCurrent && usage.raise(id, reply.amount, total)) return { outcome: "granted" };
    this.#return([], [{ id, window, amount: 0n, released: reply.amount }]);
    return { outcome: isCurrent ? "away" : "granted" };
  }

  #idleOfRate(name: string, { windows, id }: Rate, most: number): readonly RateUnits[] {
    const units = most === 0 ? 0 : windows.lowerShare(id, most);
    return units === 0 ? [] : [{ id: name, units }];
  }

  /** `most` null: everything. */
  #idleOfCap(id: string, { window }: Cap, most: bigint | null): readonly CapUse[] {
    const { usage } = this.#options;
    const released = usage.lower(id, most ?? usage.idle(id));
    return released === 0n ? [] : [{ id, window, amount: 0n, released }];
  }

  #return(rates: readonly RateUnits[], caps: readonly CapUse[]): void {
    const { append, usage } = this.#options;
    const { epoch } = usage;
    // What is left goes back when the gateway leaves.
    if (this.#closed) return;
    if (rates.length > 0) append({ kind: "rateReturn", epoch, returns: rates });
    if (caps.length > 0) append({ kind: "capUse", epoch, uses: caps });
  }

  #makeRoom(): void {
    const { rates, passthrough, usage } = this.#options;
    for (let i = 0; i < limitSlotsLookedAt; i += 1) {
      const index = this.#nextSlot++;
      for (const windows of [rates, passthrough]) {
        if (index < windows.table.end) {
          windows.table.reclaim(index, (cell) => windows.isUnshared(cell));
        }
      }
      if (index < usage.table.end) usage.table.reclaim(index, (cell) => usage.isEmpty(cell));
    }
    const end = Math.max(rates.table.end, passthrough.table.end, usage.table.end);
    if (this.#nextSlot >= end) this.#nextSlot = 0;
  }

  *#someRates(): Generator<[string, Rate]> {
    const count = shareOfLook(this.#rates.size);
    for (let i = 0; i < count; i += 1) {
      this.#nextRates ??= this.#rates.entries();
      const next: IteratorResult<[string, Rate], unknown> = this.#nextRates.next();
      if (next.done === true) this.#nextRates = null;
      else yield next.value;
    }
  }

  *#someCaps(): Generator<[string, Cap]> {
    const count = shareOfLook(this.#caps.size);
    for (let i = 0; i < count; i += 1) {
      this.#nextCaps ??= this.#caps.entries();
      const next: IteratorResult<[string, Cap], unknown> = this.#nextCaps.next();
      if (next.done === true) this.#nextCaps = null;
      else yield next.value;
    }
  }
}

/** So many that each of them has its turn about once a second. One more turn ends the round. */
function shareOfLook(count: number): number {
  if (count === 0) return 0;
  return Math.min(limitsLookedAtMax, Math.ceil(((count + 1) * limitLookMs) / 1_000));
}

/** The store's name of a rate: an address does not stand in it as it is (docs/decisions/0060-the-shared-store.md). */
function nameOf(table: RateTable, id: string): string {
  if (table === "rates") return id;
  return `address ${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}

function getOr<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function timePassed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
