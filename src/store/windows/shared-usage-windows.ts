import {
  slotChangeTriesMax,
  usageWindowMs,
  usageWindowRetryMs,
  usageWindowSlots,
} from "../../contract/limits.ts";
import { usageWindows } from "../../contract/usage-limit.ts";
import type { Clock } from "../../runtime/clock.ts";
import { SharedSlots, type NoSlot, type Slot } from "../slots/shared-slots.ts";
import type { Update } from "../slots/slot-cells.ts";
import { amountOf } from "./usage-amount.ts";
import { UsageLine, type UsageCount, type UsageOperation } from "./usage-count.ts";
import { bucketMs, tickOf, UsageRing, usageRingBytes } from "./usage-ring.ts";
import type {
  ReservedCap,
  UsageAmounts,
  UsageCap,
  UsageDecision,
  UsageRefusal,
  ReservedUsage,
  UsageWindows,
} from "./usage-windows.ts";
import { WindowTimeline } from "./window-timeline.ts";

export interface SharedUsageWindowsOptions {
  readonly slots?: number;
  /** `table.buffer` of another thread's windows. */
  readonly buffer?: SharedArrayBuffer;
  readonly seed?: string;
  readonly clock?: Clock;
  /** As `SlotMemoryOptions.between`. */
  readonly between?: () => void;
}

/**
 * Windows in shared memory. Each is a ring of 120 buckets (a month's are 6 hours, an hour's 30 seconds)
 * and one more: an amount counts for at least the window and at most one bucket longer, so no window
 * ever holds more than the cap. A month is 30 days.
 *
 * Amounts in flight are not stored, except the number of requests.
 */
export class SharedUsageWindows implements UsageWindows {
  readonly table: SharedSlots;
  readonly timeline: WindowTimeline;
  readonly #ring: UsageRing;

  constructor({ slots = usageWindowSlots, clock, ...options }: SharedUsageWindowsOptions) {
    this.table = new SharedSlots({ ...options, slots, bytesPerSlot: usageRingBytes });
    this.#ring = new UsageRing(this.table);
    this.timeline = new WindowTimeline(this.table.ownerWords, clock);
  }

  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision {
    for (let tries = 0; tries < slotChangeTriesMax; tries++) {
      const windows = this.#windowsOf(caps);
      if (windows === "full") return { admitted: false, refusedAt: null, because: "full" };
      if (windows === "busy") break;
      const decision = this.#decide(windows, worst);
      if (decision === "busy") break;
      if (decision !== "gone") return decision;
    }
    return { admitted: false, refusedAt: null, because: "busy" };
  }

  settle(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null {
    return this.#end(reservation, actual);
  }

  release(reservation: ReservedUsage): UsageOperation | null {
    return this.#end(reservation, nothing);
  }

  used({ id, window }: Pick<UsageCap, "id" | "window">): bigint {
    const slot = this.table.find(id);
    let used = 0n;
    if (slot === undefined) return used;
    const tick = tickOf(window, this.timeline.nowMs());
    this.table.change(slot, (cell) => {
      this.#ring.advance(cell, tick);
      used = this.#ring.used(cell);
      return false;
    });
    return used;
  }

  /** Whether a window equals a new one; `cell` as in `SharedSlots.change`. */
  isEmpty(cell: number): boolean {
    const window = usageWindows[this.#ring.windowAt(cell)];
    if (window === undefined) return true;
    this.#ring.advance(cell, tickOf(window, this.timeline.nowMs()));
    return this.#ring.used(cell) === 0n && this.#ring.inFlight(cell) === 0n;
  }

  /** The requests in flight ended with the process that wrote the row. */
  restored(cell: number): void {
    this.#ring.clearInFlight(cell);
  }

  /** Counts an amount that an earlier process has counted. */
  restore({ name, window, tick, amount }: UsageCount): void {
    const slot = this.table.claimNamed(name);
    if (typeof slot === "string") return;
    this.table.mustChange(slot, (cell) => {
      this.#ring.open(cell, usageWindows.indexOf(window));
      this.#ring.advance(cell, tick);
      this.#ring.addAt(cell, tick, amount);
      return true;
    });
  }

  #windowsOf(caps: readonly UsageCap[]): readonly CappedWindow[] | NoSlot {
    const windows: CappedWindow[] = [];
    for (const cap of caps) {
      const slot = this.table.claim(cap.id);
      if (typeof slot === "string") return slot;
      windows.push({ place: windows.length, slot, cap });
    }
    return windows;
  }

  #decide(windows: readonly CappedWindow[], worst: UsageAmounts): UsageDecision | NoAnswer {
    const nowMs = this.timeline.nowMs();
    // All windows but the first are checked before any is reserved, so a refused request reserves
    // nothing, not even for a moment. The first window is checked when it is reserved.
    const refusal = this.#firstRefusal(windows, 1, worst, nowMs);
    if (refusal !== undefined) return this.#firstRefusal(windows, 0, worst, nowMs) ?? refusal;
    for (const [reserved, window] of windows.entries()) {
      const refused = this.#take(window, worst, nowMs);
      if (refused === undefined) continue;
      for (const { slot, cap } of windows.slice(0, reserved)) this.#giveBack(slot, cap, worst);
      return refused;
    }
    const reservation = { worst, held: windows, atMs: nowMs, ended: false };
    return { admitted: true, reservation, counted: this.#admission(reservation) };
  }

  /** Checks the windows from `first` on, and reserves nothing. */
  #firstRefusal(
    windows: readonly CappedWindow[],
    first: number,
    worst: UsageAmounts,
    nowMs: number,
  ): UsageRefusal | NoAnswer | undefined {
    for (let i = first; i < windows.length; i++) {
      const window = windows[i];
      if (window === undefined) break;
      let refusal: UsageRefusal | undefined;
      const update = this.table.change(window.slot, (cell) => {
        refusal = this.#refusal(cell, window, worst, nowMs);
        return false;
      });
      if (update === "gone" || update === "busy") return update;
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  /** Reserves in one window; undefined if that succeeded. */
  #take(
    window: CappedWindow,
    worst: UsageAmounts,
    nowMs: number,
  ): UsageRefusal | NoAnswer | undefined {
    let refusal: UsageRefusal | undefined;
    const update = this.table.change(window.slot, (cell) => {
      refusal = this.#refusal(cell, window, worst, nowMs);
      if (refusal !== undefined) return false;
      this.#ring.addInFlight(cell, amountOf(window.cap, worst));
      return true;
    });
    return update === "gone" || update === "busy" ? update : refusal;
  }

  /** Brings a window's cell to this moment. Returns why it refuses, undefined if it admits. */
  #refusal(
    cell: number,
    { place, cap }: CappedWindow,
    worst: UsageAmounts,
    nowMs: number,
  ): UsageRefusal | undefined {
    this.#ring.open(cell, usageWindows.indexOf(cap.window));
    this.#ring.advance(cell, tickOf(cap.window, nowMs));
    const usage = this.#ring.used(cell) + this.#ring.inFlight(cell);
    const isOver =
      usage >= cap.threshold || (cap.hard && usage + amountOf(cap, worst) > cap.threshold);
    if (!isOver) return undefined;
    const retryAfterSeconds = this.#retryAfterSeconds(cap, cell, worst, nowMs);
    return { admitted: false, refusedAt: place, usage, retryAfterSeconds };
  }

  #retryAfterSeconds(cap: UsageCap, cell: number, worst: UsageAmounts, nowMs: number): number {
    // The highest used amount at which this request is still admitted.
    const highest = cap.threshold - (cap.hard ? amountOf(cap, worst) : 1n);
    if (highest < 0n) return usageWindowMs[cap.window] / 1_000;
    const excess = this.#ring.used(cell) - highest;
    if (excess <= 0n) return usageWindowRetryMs / 1_000;
    const leavesAtMs = this.#ring.leavesAtTick(cell, excess) * bucketMs(cap.window);
    return Math.max(1, Math.ceil((leavesAtMs - nowMs) / 1_000));
  }

  /** Requests are counted when they are admitted; their cost and usage are not known then. */
  #admission({ held, worst, atMs }: ReservedUsage): UsageOperation | null {
    let line: UsageLine | null = null;
    for (const { slot, cap } of held) {
      if (cap.type !== "requests") continue;
      line = this.#counted(line, slot, cap, worst.requests, atMs);
    }
    return this.#operation(line, atMs);
  }

  #end(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null {
    if (reservation.ended) return null;
    reservation.ended = true;
    const { worst, held, atMs } = reservation;
    const nowMs = this.timeline.nowMs();
    let line: UsageLine | null = null;
    for (const { slot, cap } of held) {
      const amount = amountOf(cap, actual);
      const update =
        amount === 0n
          ? this.#giveBack(slot, cap, worst)
          : this.#settleOne(slot, cap, worst, amount, nowMs);
      // If the limit was deleted meanwhile, it has no slot, or a new one.
      if (update !== "changed") continue;
      line =
        cap.type === "requests"
          ? this.#counted(line, slot, cap, amount - worst.requests, atMs)
          : this.#counted(line, slot, cap, amount, nowMs);
    }
    return this.#operation(line, nowMs);
  }

  #settleOne(slot: Slot, cap: UsageCap, worst: UsageAmounts, amount: bigint, nowMs: number) {
    return this.table.mustChange(slot, (cell) => {
      this.#ring.addInFlight(cell, -amountOf(cap, worst));
      this.#ring.advance(cell, tickOf(cap.window, nowMs));
      this.#ring.add(cell, amount);
      return true;
    });
  }

  /** The line with one more count; a new line if there was none. */
  #counted(
    line: UsageLine | null,
    slot: Slot,
    { window }: UsageCap,
    amount: bigint,
    atMs: number,
  ): UsageLine | null {
    const name = amount === 0n ? undefined : this.table.nameOfSlot(slot);
    if (name === undefined) return line;
    const counted = line ?? new UsageLine();
    counted.add(name, window, tickOf(window, atMs), amount);
    return counted;
  }

  #operation(line: UsageLine | null, timelineMs: number): UsageOperation | null {
    return line === null ? null : line.at({ wallMs: this.timeline.wallMs(), timelineMs });
  }

  #giveBack(slot: Slot, cap: UsageCap, worst: UsageAmounts) {
    return this.table.mustChange(slot, (cell) => {
      this.#ring.addInFlight(cell, -amountOf(cap, worst));
      return true;
    });
  }
}

interface CappedWindow extends ReservedCap {
  readonly place: number;
}

type NoAnswer = Extract<Update, "gone" | "busy">;

const nothing: UsageAmounts = { costMicroUsd: 0n, tokens: 0n, requests: 0n };
