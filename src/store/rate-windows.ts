import { rateBucketMs, rateBuckets, rateWindowMs, rateWindowSlots } from "../contract/limits.ts";
import type { Clock } from "./clock.ts";
import { SharedSlots, type Slot } from "./shared-slots.ts";
import type { WindowTable } from "./window-table.ts";
import { storedSeed, WindowRows, type WriteWindows } from "./window-rows.ts";
import { WindowTimeline } from "./window-timeline.ts";

/** One window that a request has to fit into. */
export interface RateCheck {
  /** Names the window, such as `org:<id>`. */
  readonly id: string;
  /** Units in any 60 seconds. */
  readonly limit: number;
  /** What the request takes; 1 unless said otherwise. */
  readonly units?: number;
}

/** A window after the check. */
export interface RateState {
  readonly limit: number;
  /** Units that would still be admitted now. */
  readonly remaining: number;
  /**
   * Where the check refused: the Unix second, rounded up, from which the request would be admitted if
   * nobody else came. Else: from which the oldest unit counts no more.
   */
  readonly resetUnixSeconds: number;
  /** The same as whole seconds from now, at least 1. */
  readonly resetAfterSeconds: number;
}

export type RateDecision =
  /** In the order of the checks. */
  | { readonly admitted: true; readonly states: readonly RateState[] }
  /** Nothing was taken from any window. `refusedAt`: the first check that refused. */
  | { readonly admitted: false; readonly refusedAt: number; readonly state: RateState };

/** Rate limits over a sliding window of 60 seconds (spec: Rate limits 1). */
export interface RateWindows {
  /**
   * Takes the units from every window or from none, in one step that no other request of any thread
   * comes between. A plain value: a request's body has to be asked for before anything is awaited.
   */
  consume(checks: readonly RateCheck[]): RateDecision;
}

export interface SharedRateWindowsOptions {
  readonly slots?: number;
  /** `table.buffer` of another thread's windows. */
  readonly buffer?: SharedArrayBuffer;
  readonly seed?: string;
  readonly clock?: Clock;
  /** Told every time that a check is refused because the table is full. */
  readonly onFull?: () => void;
}

/** Windows that outlive the process. */
export interface OpenRateWindows extends RateWindows {
  /** For `SharedRateWindows` of other threads, with the same number of slots. */
  readonly buffer: SharedArrayBuffer;
  /** Writes what was counted. Durable when resolved, or `onFlushFailed` was told. */
  flush(): Promise<void>;
  /** Writes what was counted and stops writing; to be called before the store is closed. */
  close(): Promise<void>;
}

export interface OpenRateWindowsOptions {
  readonly slots?: number;
  readonly clock?: Clock;
  readonly onFull?: () => void;
  readonly onFlushFailed: (error: unknown) => void;
}

/**
 * Windows whose state survives a restart: it is written about every second and at `close`; a crash
 * loses what was counted since. Over a restart they follow the wall clock: set back meanwhile, it
 * counts as standing still; set forward, as time that has passed.
 */
export function openRateWindows(
  rows: WindowTable,
  write: WriteWindows,
  { onFlushFailed, ...options }: OpenRateWindowsOptions,
): OpenRateWindows {
  const seed = storedSeed(rows);
  const windows = new SharedRateWindows({ ...options, ...(seed === undefined ? {} : { seed }) });
  const kept = new WindowRows(rows, write, windows, onFlushFailed);
  return {
    buffer: windows.table.buffer,
    consume: (checks) => windows.consume(checks),
    flush: () => kept.flush(),
    close: () => kept.close(),
  };
}

/**
 * A window's slot: the sum of its ring (32 bits), the ticks of its newest bucket and of its oldest
 * that may not be empty (64-bit floats), then the ring. A tick is a bucket's number since 1970.
 */
const ringLength = rateBuckets + 1;
const sumWord = 0;
const newestDouble = 1;
const oldestDouble = 2;
const ringWord = 6;
const bytesPerSlot = Math.ceil(((ringWord + ringLength) * 4) / 8) * 8;

/**
 * Windows in shared memory. A window is a ring of buckets of 250 ms. A unit counts from its moment
 * to the end of the bucket that begins 60 s after its own: 60 s at least, so no span of 60 s ever
 * admits more than the limit, and at most one bucket longer than an exact log would count it.
 *
 * A table without room refuses who is not in it; windows that have been empty make room first.
 */
export class SharedRateWindows implements RateWindows {
  readonly table: SharedSlots;
  readonly timeline: WindowTimeline;
  readonly #onFull: () => void;

  constructor({ slots = rateWindowSlots, buffer, seed, clock, onFull }: SharedRateWindowsOptions) {
    this.table = new SharedSlots({
      slots,
      bytesPerSlot,
      ...(buffer === undefined ? {} : { buffer }),
      ...(seed === undefined ? {} : { seed }),
      repair: (index) => this.#recount(index),
    });
    this.timeline = new WindowTimeline(this.table.ownerWords, clock);
    this.#onFull = onFull ?? (() => undefined);
  }

  consume(checks: readonly RateCheck[]): RateDecision {
    const ids: string[] = [];
    for (const { id } of checks) ids.push(id);
    const decision = this.table.withLocks(ids, (slots) => this.#decide(checks, slots));
    if (decision !== undefined) return decision;
    this.#onFull();
    const state = stateOf(checks[0]?.limit ?? 0, 0, rateWindowMs, this.timeline.wallMs());
    return { admitted: false, refusedAt: 0, state };
  }

  /** Whether a window, as it stands, would be the same as a new one. */
  isEmpty(index: number): boolean {
    return this.#newest(index) + rateBuckets < this.#tickNow();
  }

  #decide(checks: readonly RateCheck[], slots: readonly Slot[]): RateDecision {
    // Read with the locks held, so that no window sees an older time than the one before.
    const nowMs = this.timeline.nowMs();
    const wallMs = this.timeline.wallMs();
    const tick = Math.floor(nowMs / rateBucketMs);
    for (let i = 0; i < checks.length; i++) {
      const { index } = slots[i] ?? noSlot;
      const { limit, units = 1 } = checks[i] ?? noCheck;
      this.#advance(index, tick);
      const excess = this.#sum(index) + units - limit;
      if (excess <= 0) continue;
      const waitMs = this.#waitMs(index, excess, nowMs);
      const state = stateOf(limit, this.#left(index, limit), waitMs, wallMs);
      return { admitted: false, refusedAt: i, state };
    }
    const states: RateState[] = [];
    for (let i = 0; i < checks.length; i++) {
      const { index } = slots[i] ?? noSlot;
      const { limit, units = 1 } = checks[i] ?? noCheck;
      this.#add(index, units);
      const waitMs = this.#waitMs(index, 1, nowMs);
      states.push(stateOf(limit, this.#left(index, limit), waitMs, wallMs));
    }
    return { admitted: true, states };
  }

  #left(index: number, limit: number): number {
    return Math.max(0, limit - this.#sum(index));
  }

  /** Empties the buckets that leave the window when `tick` begins. */
  #advance(index: number, tick: number): void {
    const newest = this.#newest(index);
    const steps = tick - newest;
    if (steps <= 0) return;
    const ring = this.#ringAt(index);
    if (steps >= ringLength) {
      this.table.int32.fill(0, ring, ring + ringLength);
      this.#setSum(index, 0);
    } else {
      let at = newest % ringLength;
      let sum = this.#sum(index);
      for (let i = 0; i < steps; i++) {
        at = at + 1 === ringLength ? 0 : at + 1;
        sum -= this.table.int32[ring + at] ?? 0;
        this.table.int32[ring + at] = 0;
      }
      this.#setSum(index, sum);
    }
    this.table.float64[this.#doubleAt(index, newestDouble)] = tick;
    const oldest = this.#doubleAt(index, oldestDouble);
    this.table.float64[oldest] = Math.max(this.table.float64[oldest] ?? 0, tick - rateBuckets);
  }

  #add(index: number, units: number): void {
    const at = this.#ringAt(index) + (this.#newest(index) % ringLength);
    this.table.int32[at] = (this.table.int32[at] ?? 0) + units;
    this.#setSum(index, this.#sum(index) + units);
  }

  /** How long until `units` of those that count now count no more; a whole window if they never do. */
  #waitMs(index: number, units: number, nowMs: number): number {
    const ring = this.#ringAt(index);
    const newest = this.#newest(index);
    const oldestAt = this.#doubleAt(index, oldestDouble);
    let tick = this.table.float64[oldestAt] ?? 0;
    let at = tick % ringLength;
    let freed = 0;
    for (; tick <= newest; tick++) {
      const count = this.table.int32[ring + at] ?? 0;
      // What was empty behind the newest bucket stays empty.
      if (freed === 0) this.table.float64[oldestAt] = tick;
      freed += count;
      if (freed >= units) return (tick + ringLength) * rateBucketMs - nowMs;
      at = at + 1 === ringLength ? 0 : at + 1;
    }
    return rateWindowMs;
  }

  /** The sum may be half written by a thread that died; the ring is right to one request. */
  #recount(index: number): void {
    const ring = this.#ringAt(index);
    const counts = this.table.int32.subarray(ring, ring + ringLength);
    this.#setSum(
      index,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  #tickNow(): number {
    return Math.floor(this.timeline.nowMs() / rateBucketMs);
  }

  #sum(index: number): number {
    return this.table.int32[(index * bytesPerSlot) / 4 + sumWord] ?? 0;
  }

  #setSum(index: number, sum: number): void {
    this.table.int32[(index * bytesPerSlot) / 4 + sumWord] = sum;
  }

  #newest(index: number): number {
    return this.table.float64[this.#doubleAt(index, newestDouble)] ?? 0;
  }

  #doubleAt(index: number, double: number): number {
    return (index * bytesPerSlot) / 8 + double;
  }

  #ringAt(index: number): number {
    return (index * bytesPerSlot) / 4 + ringWord;
  }
}

// `checks` and `slots` are of one length.
const noCheck: RateCheck = { id: "", limit: 0 };
const noSlot = { index: 0 };

function stateOf(limit: number, remaining: number, waitMs: number, wallMs: number): RateState {
  return {
    limit,
    remaining,
    // Every fourth bucket ends with a second. `wallMs` is cut to a millisecond and `waitMs` is not, so
    // without the floor one window would be said to reset at that second and at the next, in turn.
    resetUnixSeconds: Math.ceil(Math.floor(wallMs + waitMs) / 1_000),
    resetAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  };
}
