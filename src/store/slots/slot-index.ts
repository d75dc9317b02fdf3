import type { Hash128 } from "./slot-hash.ts";

/**
 * Hash → slot by open addressing with linear probing, in shared memory; entries hold slot + 1, 0 is
 * empty. Removal moves later entries up, so there are no tombstones.
 *
 * Only the holder of the table's lock may change the index. Every thread may read it: without the lock
 * a read may miss an entry that is just being moved, and a found slot may already belong to another id.
 */
export class SlotIndex {
  readonly #entries: Int32Array;
  readonly #hashes: Int32Array;
  readonly #mask: number;

  /** `entries`: a power of two, at least twice the number of slots; `hashes`: four words a slot. */
  constructor(entries: Int32Array, hashes: Int32Array) {
    this.#entries = entries;
    this.#hashes = hashes;
    this.#mask = entries.length - 1;
  }

  /** The slot of the hash; -1 if there is none. */
  find(hash: Hash128): number {
    // Without the lock, entries may keep moving ahead of this search.
    for (let probes = 0; probes <= this.#mask; probes++) {
      const slot = this.#slotAt((hash[0] + probes) & this.#mask);
      if (slot < 0 || this.has(slot, hash)) return slot;
    }
    return -1;
  }

  /** Whether the slot is, or was last, that of the hash. */
  has(slot: number, hash: Hash128): boolean {
    return (
      this.#word(slot, 0) === hash[0] &&
      this.#word(slot, 1) === hash[1] &&
      this.#word(slot, 2) === hash[2] &&
      this.#word(slot, 3) === hash[3]
    );
  }

  /** Sets the id of a slot. The slot must be neither in use nor in the index. */
  name(slot: number, hash: Hash128): void {
    this.#hashes.set(hash, slot * 4);
  }

  /** Enters a slot that was named. */
  enter(slot: number): void {
    let at = this.#home(slot);
    while (this.#slotAt(at) >= 0) at = (at + 1) & this.#mask;
    this.#setSlotAt(at, slot);
  }

  remove(slot: number): void {
    let hole = this.#home(slot);
    while (this.#slotAt(hole) !== slot) {
      if (this.#slotAt(hole) < 0) return;
      hole = (hole + 1) & this.#mask;
    }
    for (let at = (hole + 1) & this.#mask; ; at = (at + 1) & this.#mask) {
      const next = this.#slotAt(at);
      if (next < 0) break;
      // An entry may move up to the hole unless its home is behind the hole.
      const fromHome = (at - this.#home(next)) & this.#mask;
      if (fromHome < ((at - hole) & this.#mask)) continue;
      this.#setSlotAt(hole, next);
      hole = at;
    }
    this.#setSlotAt(hole, -1);
  }

  hashOf(slot: number): Hash128 {
    return [this.#word(slot, 0), this.#word(slot, 1), this.#word(slot, 2), this.#word(slot, 3)];
  }

  #slotAt(at: number): number {
    return Atomics.load(this.#entries, at) - 1;
  }

  #setSlotAt(at: number, slot: number): void {
    Atomics.store(this.#entries, at, slot + 1);
  }

  #home(slot: number): number {
    return this.#word(slot, 0) & this.#mask;
  }

  #word(slot: number, word: number): number {
    return this.#hashes[slot * 4 + word] ?? 0;
  }
}
