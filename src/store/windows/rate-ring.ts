import { rateBucketMs, rateBuckets, rateWindowMs } from "../../contract/limits.ts";
import type { SharedSlots } from "../slots/shared-slots.ts";

/**
 * A window's slot: the sum of its ring (32 bits), the gateway's share of the limit (32 bits), the ticks of its newest
 * bucket and of its oldest that may not be empty (64-bit floats), the ring, and the units that no gateway has (32 bits). A
 * tick is a bucket's number since 1970. Without a shared store nobody reads the share and what is free.
 */
const ringLength = rateBuckets + 1;
const sumWord = 0;
const shareWord = 1;
const newestDouble = 1;
const oldestDouble = 2;
const ringWord = 6;
const freeWord = ringWord + ringLength;
export const rateRingBytes = Math.ceil(((freeWord + 1) * 4) / 8) * 8;

/** The rings of a table's windows, each in a cell that `SharedSlots.change` hands out. */
export class RateRing {
  readonly #int32: Int32Array;
  readonly #float64: Float64Array;
  readonly #bytesPerCell: number;

  constructor({ int32, float64, bytesPerCell }: SharedSlots) {
    this.#int32 = int32;
    this.#float64 = float64;
    this.#bytesPerCell = bytesPerCell;
  }

  /** The units that count now. */
  sum(cell: number): number {
    return this.#int32[this.#wordAt(cell, sumWord)] ?? 0;
  }

  /** The units that this gateway may have in its window. */
  share(cell: number): number {
    return this.#int32[this.#wordAt(cell, shareWord)] ?? 0;
  }

  setShare(cell: number, units: number): void {
    this.#int32[this.#wordAt(cell, shareWord)] = units;
  }

  /** The units that no gateway had when the store was asked last. */
  free(cell: number): number {
    return this.#int32[this.#wordAt(cell, freeWord)] ?? 0;
  }

  setFree(cell: number, units: number): void {
    this.#int32[this.#wordAt(cell, freeWord)] = units;
  }

  /** The newest bucket's tick, into which `add` counts. */
  newest(cell: number): number {
    return this.#float64[this.#doubleAt(cell, newestDouble)] ?? 0;
  }

  /** Empties the buckets that leave the window when `tick` begins; an older tick changes nothing. */
  advance(cell: number, tick: number): void {
    const newest = this.newest(cell);
    const steps = tick - newest;
    if (steps <= 0) return;
    const ring = this.#wordAt(cell, ringWord);
    if (steps >= ringLength) {
      this.#int32.fill(0, ring, ring + ringLength);
      this.#setSum(cell, 0);
    } else {
      let at = newest % ringLength;
      let sum = this.sum(cell);
      for (let i = 0; i < steps; i++) {
        at = at + 1 === ringLength ? 0 : at + 1;
        sum -= this.#int32[ring + at] ?? 0;
        this.#int32[ring + at] = 0;
      }
      this.#setSum(cell, sum);
    }
    this.#float64[this.#doubleAt(cell, newestDouble)] = tick;
    const oldest = this.#doubleAt(cell, oldestDouble);
    this.#float64[oldest] = Math.max(this.#float64[oldest] ?? 0, tick - rateBuckets);
  }

  add(cell: number, units: number): void {
    this.#count(cell, this.newest(cell), units);
  }

  /** Removes units that were added when `tick` was the newest; false if they no longer count. */
  takeOut(cell: number, tick: number, units: number): boolean {
    if (this.newest(cell) - tick >= ringLength) return false;
    this.#count(cell, tick, -units);
    return true;
  }

  /**
   * The time until `units` of the current units have left the window; a whole window if that never
   * happens.
   */
  waitMs(cell: number, units: number, nowMs: number): number {
    const ring = this.#wordAt(cell, ringWord);
    const newest = this.newest(cell);
    const oldestAt = this.#doubleAt(cell, oldestDouble);
    let tick = this.#float64[oldestAt] ?? 0;
    let at = tick % ringLength;
    let freed = 0;
    for (; tick <= newest; tick++) {
      const count = this.#int32[ring + at] ?? 0;
      // All buckets before this one are empty and stay empty, so this one is now the oldest.
      if (freed === 0) this.#float64[oldestAt] = tick;
      freed += count;
      if (freed >= units) return (tick + ringLength) * rateBucketMs - nowMs;
      at = at + 1 === ringLength ? 0 : at + 1;
    }
    return rateWindowMs;
  }

  #count(cell: number, tick: number, units: number): void {
    const at = this.#wordAt(cell, ringWord) + (tick % ringLength);
    this.#int32[at] = (this.#int32[at] ?? 0) + units;
    this.#setSum(cell, this.sum(cell) + units);
  }

  #setSum(cell: number, sum: number): void {
    this.#int32[this.#wordAt(cell, sumWord)] = sum;
  }

  #wordAt(cell: number, word: number): number {
    return (cell * this.#bytesPerCell) / 4 + word;
  }

  #doubleAt(cell: number, double: number): number {
    return (cell * this.#bytesPerCell) / 8 + double;
  }
}
