import { usageWindowBuckets } from "../contract/limits.ts";
import type { SharedSlots } from "./shared-slots.ts";

/**
 * A slot in words of 64 bits: what the ring adds up to, what is in flight, the tick of the newest
 * bucket (a float), the window's place among `usageWindows` plus 1 (0: a new slot), then the ring. A
 * tick is a bucket's number since 1970.
 */
const usedWord = 0;
const inFlightWord = 1;
const newestWord = 2;
const windowWord = 3;
const ringWord = 4;
const ringLength = usageWindowBuckets + 1;
const wordsPerSlot = ringWord + ringLength;
export const usageRingBytes = wordsPerSlot * 8;

/** The rings of all slots of a table. Whoever calls holds the slot's lock. */
export class UsageRing {
  readonly #words: BigInt64Array;
  readonly #floats: Float64Array;

  constructor(table: SharedSlots) {
    this.#words = table.int64;
    this.#floats = table.float64;
  }

  open(index: number, window: number): void {
    this.#words[this.#at(index, windowWord)] = BigInt(window + 1);
  }

  /** -1 for a slot that was never opened. */
  windowAt(index: number): number {
    return Number(this.#word(index, windowWord)) - 1;
  }

  used(index: number): bigint {
    return this.#word(index, usedWord);
  }

  inFlight(index: number): bigint {
    return this.#word(index, inFlightWord);
  }

  addInFlight(index: number, amount: bigint): void {
    this.#words[this.#at(index, inFlightWord)] = this.inFlight(index) + amount;
  }

  clearInFlight(index: number): void {
    this.#words[this.#at(index, inFlightWord)] = 0n;
  }

  /** Into the newest bucket. */
  add(index: number, amount: bigint): void {
    const word = ringWord + (this.#newest(index) % ringLength);
    this.#words[this.#at(index, word)] = this.#word(index, word) + amount;
    this.#words[this.#at(index, usedWord)] = this.used(index) + amount;
  }

  /** Empties the buckets that leave the window when `tick` begins; an older tick changes nothing. */
  advance(index: number, tick: number): void {
    const newest = this.#newest(index);
    const steps = tick - newest;
    if (steps <= 0) return;
    const ring = this.#at(index, ringWord);
    if (steps >= ringLength) {
      this.#words.fill(0n, ring, ring + ringLength);
      this.#words[this.#at(index, usedWord)] = 0n;
    } else {
      let used = this.used(index);
      for (let step = newest + 1; step <= tick; step++) {
        const at = ring + (step % ringLength);
        used -= this.#words[at] ?? 0n;
        this.#words[at] = 0n;
      }
      this.#words[this.#at(index, usedWord)] = used;
    }
    this.#floats[this.#at(index, newestWord)] = tick;
  }

  /** The tick at whose beginning `amount` of what counts now has left; it is used at least. */
  leavesAtTick(index: number, amount: bigint): number {
    const newest = this.#newest(index);
    let left = 0n;
    let tick = newest - usageWindowBuckets;
    for (; tick < newest; tick++) {
      left += this.#word(index, ringWord + (tick % ringLength));
      if (left >= amount) break;
    }
    return tick + ringLength;
  }

  /** The sum may be half written by a thread that died; what it had in flight is not known. */
  recount(index: number): void {
    const ring = this.#at(index, ringWord);
    let used = 0n;
    for (const amount of this.#words.subarray(ring, ring + ringLength)) used += amount;
    this.#words[this.#at(index, usedWord)] = used;
  }

  #newest(index: number): number {
    return this.#floats[this.#at(index, newestWord)] ?? 0;
  }

  #word(index: number, word: number): bigint {
    return this.#words[this.#at(index, word)] ?? 0n;
  }

  #at(index: number, word: number): number {
    return index * wordsPerSlot + word;
  }
}
