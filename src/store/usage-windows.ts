import {
  usageWindowBuckets,
  usageWindowMs,
  usageWindowRetryMs,
  usageWindowSlots,
} from "../contract/limits.ts";
import { usageWindows, type UsageLimitType, type UsageWindow } from "../contract/usage-limit.ts";
import type { Clock } from "./clock.ts";
import { SharedSlots, type Slot } from "./shared-slots.ts";
import { UsageRing, usageRingBytes } from "./usage-ring.ts";
import { storedSeed, WindowRows, type WriteWindows } from "./window-rows.ts";
import type { WindowTable } from "./window-table.ts";
import { WindowTimeline } from "./window-timeline.ts";

/** A rolling cap as the windows see it. */
export interface UsageCap {
  /** Names the window; another one where type or length of the window change. */
  readonly id: string;
  readonly type: UsageLimitType;
  readonly window: UsageWindow;
  /** Micro-dollars, tokens or requests. */
  readonly threshold: bigint;
  /**
   * A soft cap admits while what was used and what is in flight are below it, so that the request
   * that crosses it is the last one. A hard cap admits only what fits with its own worst case.
   */
  readonly hard: boolean;
}

/** What one request uses, or may use at most. Not negative. */
export interface UsageAmounts {
  readonly costMicroUsd: bigint;
  /** Input and output. */
  readonly tokens: bigint;
  readonly requests: bigint;
}

/**
 * Usage that is counted as in flight until it is settled or released. What comes after the first of
 * these does nothing.
 */
export interface UsageReservation {
  readonly worst: UsageAmounts;
  readonly held: readonly { readonly slot: Slot; readonly cap: UsageCap }[];
  ended: boolean;
}

export type UsageDecision =
  | { readonly admitted: true; readonly reservation: UsageReservation }
  /** Nothing was reserved. */
  | {
      readonly admitted: false;
      /** The first cap that refused, by its place in the list. */
      readonly refusedAt: number;
      /** What counts against the cap: used in the window and in flight. */
      readonly usage: bigint;
      /**
       * Whole seconds, at least 1, until enough has left the window; 1 where what is in flight may
       * make room at any time. At most the window and a bucket; the window for what will never fit.
       */
      readonly retryAfterSeconds: number;
    }
  /** There is no room to count a cap in: nothing may be admitted. */
  | { readonly admitted: false; readonly refusedAt: null };

/** Rolling usage (spec: Rate limits 5, Usage limit). */
export interface UsageWindows {
  /**
   * Reserves a request's worst case in every cap or in none, in one step that no other request of
   * any thread comes between.
   */
  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision;

  /** Counts what a request has used, from now on, and ends its reservation. */
  settle(reservation: UsageReservation, actual: UsageAmounts): void;

  /** Ends a reservation; nothing was used. */
  release(reservation: UsageReservation): void;

  /** What the window has in it now, without what is in flight. */
  used(cap: Pick<UsageCap, "id" | "window">): bigint;
}

export interface SharedUsageWindowsOptions {
  readonly slots?: number;
  /** `table.buffer` of another thread's windows. */
  readonly buffer?: SharedArrayBuffer;
  readonly seed?: string;
  readonly clock?: Clock;
}

/**
 * Windows in shared memory. Each is a ring of 120 buckets (a month's are 6 hours, an hour's 30
 * seconds) and one more: an amount counts for the window at least and for one bucket longer at most,
 * so never more than the cap fits into any window. A month is 30 days.
 *
 * What is in flight is not stored: a crash loses it with what was settled since the last flush.
 */
export class SharedUsageWindows implements UsageWindows {
  readonly table: SharedSlots;
  readonly timeline: WindowTimeline;
  readonly #ring: UsageRing;

  constructor({ slots = usageWindowSlots, buffer, seed, clock }: SharedUsageWindowsOptions) {
    this.table = new SharedSlots({
      slots,
      bytesPerSlot: usageRingBytes,
      ...(buffer === undefined ? {} : { buffer }),
      ...(seed === undefined ? {} : { seed }),
      repair: (index) => this.#ring.recount(index),
    });
    this.#ring = new UsageRing(this.table);
    this.timeline = new WindowTimeline(this.table.ownerWords, clock);
  }

  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision {
    const decision = this.table.withLocks(
      caps.map(({ id }) => id),
      (slots) => this.#decide(caps, slots, worst),
    );
    return decision ?? { admitted: false, refusedAt: null };
  }

  settle(reservation: UsageReservation, actual: UsageAmounts): void {
    this.#end(reservation, actual);
  }

  release(reservation: UsageReservation): void {
    this.#end(reservation, nothing);
  }

  used({ id, window }: Pick<UsageCap, "id" | "window">): bigint {
    const slot = this.table.find(id);
    if (slot === undefined || !this.table.lock(slot)) return 0n;
    this.#ring.advance(slot.index, this.#tick(window, this.timeline.nowMs()));
    const used = this.#ring.used(slot.index);
    this.table.unlock(slot);
    return used;
  }

  /** Whether a window, as it stands, would be the same as a new one. */
  isEmpty(index: number): boolean {
    const window = usageWindows[this.#ring.windowAt(index)];
    if (window === undefined) return true;
    this.#ring.advance(index, this.#tick(window, this.timeline.nowMs()));
    return this.#ring.used(index) === 0n && this.#ring.inFlight(index) === 0n;
  }

  /** Requests in flight ended with the process that wrote the row. */
  restored(index: number): void {
    this.#ring.clearInFlight(index);
  }

  #decide(caps: readonly UsageCap[], slots: readonly Slot[], worst: UsageAmounts): UsageDecision {
    // Read with the locks held, so that no window sees an older time than the one before.
    const nowMs = this.timeline.nowMs();
    const held: { readonly slot: Slot; readonly cap: UsageCap }[] = [];
    for (const [i, cap] of caps.entries()) {
      const slot = slots[i];
      if (slot === undefined) break;
      this.#ring.open(slot.index, usageWindows.indexOf(cap.window));
      this.#ring.advance(slot.index, this.#tick(cap.window, nowMs));
      const usage = this.#ring.used(slot.index) + this.#ring.inFlight(slot.index);
      const isOver =
        usage >= cap.threshold || (cap.hard && usage + amountOf(cap, worst) > cap.threshold);
      if (isOver) {
        const retryAfterSeconds = this.#retryAfterSeconds(cap, slot.index, worst, nowMs);
        return { admitted: false, refusedAt: i, usage, retryAfterSeconds };
      }
      held.push({ slot, cap });
    }
    for (const { slot, cap } of held) this.#ring.addInFlight(slot.index, amountOf(cap, worst));
    return { admitted: true, reservation: { worst, held, ended: false } };
  }

  #retryAfterSeconds(cap: UsageCap, index: number, worst: UsageAmounts, nowMs: number): number {
    // The most that may be used already for this request to be admitted.
    const highest = cap.threshold - (cap.hard ? amountOf(cap, worst) : 1n);
    if (highest < 0n) return usageWindowMs[cap.window] / 1_000;
    const excess = this.#ring.used(index) - highest;
    if (excess <= 0n) return usageWindowRetryMs / 1_000;
    const leavesAtMs = this.#ring.leavesAtTick(index, excess) * bucketMs(cap.window);
    return Math.max(1, Math.ceil((leavesAtMs - nowMs) / 1_000));
  }

  #end(reservation: UsageReservation, actual: UsageAmounts): void {
    if (reservation.ended) return;
    reservation.ended = true;
    const { worst, held } = reservation;
    for (const { slot, cap } of held) {
      // A limit that was deleted meanwhile has no slot, or a new one.
      if (!this.table.lock(slot)) continue;
      this.#ring.addInFlight(slot.index, -amountOf(cap, worst));
      const amount = amountOf(cap, actual);
      if (amount > 0n) {
        this.#ring.advance(slot.index, this.#tick(cap.window, this.timeline.nowMs()));
        this.#ring.add(slot.index, amount);
      }
      this.table.unlock(slot);
    }
  }

  #tick(window: UsageWindow, nowMs: number): number {
    return Math.floor(nowMs / bucketMs(window));
  }
}

/** Usage windows that outlive the process. */
export interface OpenUsageWindows extends UsageWindows {
  /** For `SharedUsageWindows` of other threads, with the same number of slots. */
  readonly buffer: SharedArrayBuffer;
  /** Forgets what a cap has counted; in flight or not. Durable with the next flush. */
  forget(cap: Pick<UsageCap, "id">): void;
  /** Writes what was counted. Durable when resolved, or `onFlushFailed` was told. */
  flush(): Promise<void>;
  /** Writes what was counted and stops writing; to be called before the store is closed. */
  close(): Promise<void>;
}

export interface OpenUsageWindowsOptions {
  readonly slots?: number;
  readonly clock?: Clock;
  readonly onFlushFailed: (error: unknown) => void;
}

/** As `openRateWindows`: written about every second; a crash loses what was settled since. */
export function openUsageWindows(
  rows: WindowTable,
  write: WriteWindows,
  { onFlushFailed, ...options }: OpenUsageWindowsOptions,
): OpenUsageWindows {
  const seed = storedSeed(rows);
  const windows = new SharedUsageWindows({ ...options, ...(seed === undefined ? {} : { seed }) });
  const kept = new WindowRows(rows, write, windows, onFlushFailed);
  return {
    buffer: windows.table.buffer,
    reserve: (caps, worst) => windows.reserve(caps, worst),
    settle: (reservation, actual) => windows.settle(reservation, actual),
    release: (reservation) => windows.release(reservation),
    used: (cap) => windows.used(cap),
    forget: ({ id }) => kept.forget(id),
    flush: () => kept.flush(),
    close: () => kept.close(),
  };
}

const nothing: UsageAmounts = { costMicroUsd: 0n, tokens: 0n, requests: 0n };

function amountOf({ type }: UsageCap, amounts: UsageAmounts): bigint {
  switch (type) {
    case "cost":
      return amounts.costMicroUsd;
    case "tokens":
      return amounts.tokens;
    case "requests":
      return amounts.requests;
  }
}

function bucketMs(window: UsageWindow): number {
  return usageWindowMs[window] / usageWindowBuckets;
}
