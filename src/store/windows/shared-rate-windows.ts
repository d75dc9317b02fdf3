import {
  rateBucketMs,
  rateBuckets,
  rateWindowMs,
  rateWindowSlots,
  slotChangeTriesMax,
  windowFlushMs,
} from "../../contract/limits.ts";
import type { Clock } from "../../runtime/clock.ts";
import { RateRing, rateRingBytes } from "./rate-ring.ts";
import type {
  RateCheck,
  RateDecision,
  RateRefusal,
  RateState,
  RateWindows,
} from "./rate-windows.ts";
import { SharedSlots, type NoSlot, type Slot } from "../slots/shared-slots.ts";
import type { Update } from "../slots/slot-cells.ts";
import { WindowTimeline } from "./window-timeline.ts";

export interface SharedRateWindowsOptions {
  readonly slots?: number;
  /** `table.buffer` of another thread's windows. */
  readonly buffer?: SharedArrayBuffer;
  readonly seed?: string;
  readonly clock?: Clock;
  /** True if several gateways share each limit: only this gateway's share of it admits, which is 0 at first. */
  readonly sharesLimits?: boolean;
  /** Called whenever a check is refused because the table is full. */
  readonly onFull?: () => void;
  /** As `SlotMemoryOptions.between`. */
  readonly between?: () => void;
}

/**
 * Windows in shared memory. A window is a ring of buckets of 250 ms. A unit counts from its moment
 * to the end of the bucket that begins 60 s after its own: 60 s at least, so no span of 60 s ever
 * admits more than the limit, and at most one bucket longer than an exact log would count it.
 *
 * A full table refuses callers that are not in it; windows that have been empty are removed first.
 */
export class SharedRateWindows implements RateWindows {
  readonly table: SharedSlots;
  readonly timeline: WindowTimeline;
  readonly #ring: RateRing;
  readonly #onFull: () => void;
  readonly #sharesLimits: boolean;

  constructor({ slots = rateWindowSlots, clock, onFull, ...options }: SharedRateWindowsOptions) {
    this.#sharesLimits = options.sharesLimits ?? false;
    this.table = new SharedSlots({ ...options, slots, bytesPerSlot: rateRingBytes });
    this.timeline = new WindowTimeline(this.table.ownerWords, clock);
    this.#ring = new RateRing(this.table);
    this.#onFull = onFull ?? (() => undefined);
  }

  consume(checks: readonly RateCheck[]): RateDecision {
    for (let tries = 0; tries < slotChangeTriesMax; tries++) {
      const windows = this.#windowsOf(checks);
      if (windows === "busy") break;
      if (windows === "full") {
        this.#onFull();
        const state = stateOf(checks[0]?.limit ?? 0, 0, rateWindowMs, this.timeline.wallMs());
        return { admitted: false, refusedAt: 0, state, short: 0 };
      }
      const decision = this.#decide(windows);
      if (decision === "busy") break;
      if (decision !== "gone") return decision;
    }
    return { admitted: false, refusedAt: null };
  }

  /** Whether a window equals a new one; `cell` as in `SharedSlots.change`. */
  isEmpty(cell: number): boolean {
    const tickNow = Math.floor(this.timeline.nowMs() / rateBucketMs);
    return this.#ring.newest(cell) + rateBuckets < tickNow;
  }

  /** Raises this gateway's share. `free`: the units that no gateway has after that. False: there is no room for the id. */
  raiseShare(id: string, units: number, free: number): boolean {
    const update = this.table.changeOf(id, (cell) => {
      this.#ring.setShare(cell, this.#ring.share(cell) + units);
      this.#ring.setFree(cell, free);
      return true;
    });
    return update === "changed";
  }

  /** This gateway's share of the limit. */
  share(id: string): number {
    const slot = this.table.find(id);
    let share = 0;
    if (slot === undefined) return share;
    this.table.change(slot, (cell) => {
      share = this.#ring.share(cell);
      return false;
    });
    return share;
  }

  /**
   * The units of this gateway's share that count nothing in its window: so they were not used in the last 60 seconds.
   */
  idleShare(id: string): number {
    return this.#idle(id, 0);
  }

  /** Lowers the share by its idle units, at most by `most`. Returns by how many. */
  lowerShare(id: string, most: number): number {
    return this.#idle(id, most);
  }

  /** As `isEmpty`, if this gateway has no share of the limit either, and nobody has just asked. */
  isUnshared(cell: number): boolean {
    const askedTicksAgo =
      Math.floor(this.timeline.nowMs() / rateBucketMs) - this.#ring.newest(cell);
    return this.#ring.share(cell) === 0 && askedTicksAgo > windowFlushMs / rateBucketMs;
  }

  #idle(id: string, lowerBy: number): number {
    const slot = this.table.find(id);
    if (slot === undefined) return 0;
    const tick = Math.floor(this.timeline.nowMs() / rateBucketMs);
    let idle = 0;
    const update = this.table.change(slot, (cell) => {
      this.#ring.advance(cell, tick);
      const share = this.#ring.share(cell);
      idle = Math.max(0, share - this.#ring.sum(cell));
      if (lowerBy === 0 || idle === 0) return false;
      idle = Math.min(idle, lowerBy);
      this.#ring.setShare(cell, share - idle);
      return true;
    });
    return update === (lowerBy === 0 ? "kept" : "changed") ? idle : 0;
  }

  #windowsOf(checks: readonly RateCheck[]): readonly CheckedWindow[] | NoSlot {
    const windows: CheckedWindow[] = [];
    for (const { id, limit, units = 1 } of checks) {
      const slot = this.table.claim(id);
      if (typeof slot === "string") return slot;
      windows.push({ place: windows.length, slot, limit, units });
    }
    return windows;
  }

  #decide(windows: readonly CheckedWindow[]): RateDecision | NoAnswer {
    const now = { ms: this.timeline.nowMs(), wallMs: this.timeline.wallMs() };
    // All windows but the first are checked before any is taken, so a refused request takes nothing,
    // not even for a moment. The first window is checked when it is taken.
    const refusal = this.#firstRefusal(windows, 1, now);
    if (refusal !== undefined) return this.#firstRefusal(windows, 0, now) ?? refusal;
    const taken: Taken[] = [];
    for (const window of windows) {
      const answer = this.#take(window, now);
      if (typeof answer === "object" && answer.admitted) {
        taken.push(answer);
        continue;
      }
      for (const units of taken) this.#giveBack(units);
      return answer;
    }
    return { admitted: true, states: taken.map(({ state }) => state) };
  }

  /** Checks the windows from `first` on, and takes nothing. */
  #firstRefusal(
    windows: readonly CheckedWindow[],
    first: number,
    now: Moment,
  ): RateRefusal | NoAnswer | undefined {
    for (let i = first; i < windows.length; i++) {
      const window = windows[i];
      if (window === undefined) break;
      let refusal: RateRefusal | undefined;
      const update = this.table.change(window.slot, (cell) => {
        refusal = this.#refusal(cell, window, now);
        return false;
      });
      if (update === "gone" || update === "busy") return update;
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #take(window: CheckedWindow, now: Moment): Taken | RateRefusal | NoAnswer {
    const { slot, limit, units } = window;
    let answer: Taken | RateRefusal | undefined;
    const update = this.table.change(slot, (cell) => {
      answer = this.#refusal(cell, window, now);
      if (answer !== undefined) return false;
      this.#ring.add(cell, units);
      const waitMs = this.#ring.waitMs(cell, 1, now.ms);
      const state = stateOf(limit, this.#left(cell, limit), waitMs, now.wallMs);
      answer = { admitted: true, slot, units, tick: this.#ring.newest(cell), state };
      return true;
    });
    if (update === "gone" || update === "busy") return update;
    if (answer === undefined) throw new Error("a window was changed and gave no answer");
    return answer;
  }

  /** Brings a window's cell to this moment. Returns why it refuses, undefined if it has room. */
  #refusal(
    cell: number,
    { place, limit, units }: CheckedWindow,
    now: Moment,
  ): RateRefusal | undefined {
    this.#ring.advance(cell, Math.floor(now.ms / rateBucketMs));
    const wanted = this.#ring.sum(cell) + units;
    const room = this.#sharesLimits ? Math.min(limit, this.#ring.share(cell)) : limit;
    const excess = wanted - room;
    if (excess <= 0) return undefined;
    const waitMs = this.#ring.waitMs(cell, excess, now.ms);
    return {
      admitted: false,
      refusedAt: place,
      state: stateOf(limit, this.#left(cell, limit), waitMs, now.wallMs),
      short: wanted > limit ? 0 : excess,
    };
  }

  /** The rest of the limit, below zero if it was higher before. */
  #left(cell: number, limit: number): number {
    if (!this.#sharesLimits) return limit - this.#ring.sum(cell);
    const known = this.#ring.share(cell) + this.#ring.free(cell);
    return Math.min(limit, known) - this.#ring.sum(cell);
  }

  #giveBack({ slot, units, tick }: Taken): void {
    this.table.mustChange(slot, (cell) => this.#ring.takeOut(cell, tick, units));
  }
}

/** A check with its window. */
interface CheckedWindow {
  readonly place: number;
  readonly slot: Slot;
  readonly limit: number;
  readonly units: number;
}

interface Moment {
  readonly ms: number;
  readonly wallMs: number;
}

/** Units that were taken from a window, and the bucket that they are counted in. */
interface Taken {
  readonly admitted: true;
  readonly slot: Slot;
  readonly units: number;
  readonly tick: number;
  readonly state: RateState;
}

type NoAnswer = Extract<Update, "gone" | "busy">;

/** `left` is the rest of the limit. It is below zero if the limit was higher before. */
function stateOf(limit: number, left: number, waitMs: number, wallMs: number): RateState {
  return {
    limit,
    remaining: Math.max(0, left),
    // Every fourth bucket ends with a second. `wallMs` is cut to a millisecond and `waitMs` is not.
    // Without the floor the reset time of one window would switch between that second and the next.
    resetUnixSeconds: Math.ceil(Math.floor(wallMs + waitMs) / 1_000),
    resetAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  };
}
