import { usageWindowBuckets, usageWindowMs } from "../../contract/limits.ts";
import type { UsageWindow } from "../../contract/usage-limit.ts";
import type { SharedSlots } from "../slots/shared-slots.ts";

/**
 * A slot in words of 64 bits: the sum of the ring, the amount in flight, the tick of the newest bucket
 * (a float), the window's place among `usageWindows` plus 1 (0: a new slot), then the ring. A tick is a
 * bucket's number since 1970.
 */
const usedWord = 0;
const inFlightWord = 1;
const newestWord = 2;
const windowWord = 3;
const ringWord = 4;
const ringLength = usageWindowBuckets + 1;
export const usageRingBytes = (ringWord + ringLength) * 8;

export function bucketMs(window: UsageWindow): number {
  return usageWindowMs[window] / usageWindowBuckets;
}

/** The bucket of a moment of the timeline. */
export function tickOf(window: UsageWindow, atMs: number): number {
  return Math.floor(atMs / bucketMs(window));
}

/** The memory of rings. */
type RingMemory = Pick<SharedSlots, "int64" | "float64" | "bytesPerCell">;

/** The rings of windows, such as those of a table, each in a cell that `SharedSlots.change` hands out. */
export class UsageRing {
  readonly #words: BigInt64Array;
  readonly #floats: Float64Array;
  readonly #wordsPerCell: number;

  constructor({ int64, float64, bytesPerCell }: RingMemory) {
    this.#words = int64;
    this.#floats = float64;
    this.#wordsPerCell = bytesPerCell / 8;
  }

  open(cell: number, window: number): void {
    this.#words[this.#at(cell, windowWord)] = BigInt(window + 1);
  }

  /** -1 for a slot that was never opened. */
  windowAt(cell: number): number {
    return Number(this.#word(cell, windowWord)) - 1;
  }

  used(cell: number): bigint {
    return this.#word(cell, usedWord);
  }

  inFlight(cell: number): bigint {
    return this.#word(cell, inFlightWord);
  }

  addInFlight(cell: number, amount: bigint): void {
    this.#words[this.#at(cell, inFlightWord)] = this.inFlight(cell) + amount;
  }

  clearInFlight(cell: number): void {
    this.#words[this.#at(cell, inFlightWord)] = 0n;
  }

  /** Into the newest bucket. */
  add(cell: number, amount: bigint): void {
    const word = ringWord + (this.#newest(cell) % ringLength);
    this.#words[this.#at(cell, word)] = this.#word(cell, word) + amount;
    this.#words[this.#at(cell, usedWord)] = this.used(cell) + amount;
  }

  /**
   * Adds to the bucket of a tick that `advance` has reached; does nothing if the tick has left the
   * window. A negative amount removes at most what is there.
   */
  addAt(cell: number, tick: number, amount: bigint): void {
    if (tick <= this.#newest(cell) - ringLength) return;
    const word = ringWord + (tick % ringLength);
    const before = this.#word(cell, word);
    const after = before + amount < 0n ? 0n : before + amount;
    this.#words[this.#at(cell, word)] = after;
    this.#words[this.#at(cell, usedWord)] = this.used(cell) + after - before;
  }

  /** Empties the buckets that leave the window when `tick` begins; an older tick changes nothing. */
  advance(cell: number, tick: number): void {
    const newest = this.#newest(cell);
    const steps = tick - newest;
    if (steps <= 0) return;
    const ring = this.#at(cell, ringWord);
    if (steps >= ringLength) {
      this.#words.fill(0n, ring, ring + ringLength);
      this.#words[this.#at(cell, usedWord)] = 0n;
    } else {
      let used = this.used(cell);
      for (let step = newest + 1; step <= tick; step++) {
        const at = ring + (step % ringLength);
        used -= this.#words[at] ?? 0n;
        this.#words[at] = 0n;
      }
      this.#words[this.#at(cell, usedWord)] = used;
    }
    this.#floats[this.#at(cell, newestWord)] = tick;
  }

  /** The buckets that have an amount. */
  *buckets(cell: number): Generator<readonly [tick: number, amount: bigint]> {
    const newest = this.#newest(cell);
    for (let tick = Math.max(0, newest - usageWindowBuckets); tick <= newest; tick++) {
      const amount = this.#word(cell, ringWord + (tick % ringLength));
      if (amount > 0n) yield [tick, amount];
    }
  }

  /** The tick at the beginning of which `amount` has left the window; at least `amount` counts now. */
  leavesAtTick(cell: number, amount: bigint): number {
    const newest = this.#newest(cell);
    let left = 0n;
    let tick = newest - usageWindowBuckets;
    for (; tick < newest; tick++) {
      left += this.#word(cell, ringWord + (tick % ringLength));
      if (left >= amount) break;
    }
    return tick + ringLength;
  }

  #newest(cell: number): number {
    return this.#floats[this.#at(cell, newestWord)] ?? 0;
  }

  #word(cell: number, word: number): bigint {
    return this.#words[this.#at(cell, word)] ?? 0n;
  }

  #at(cell: number, word: number): number {
    return cell * this.#wordsPerCell + word;
  }
}
