import { SharedLocks } from "./shared-locks.ts";
import { SlotCache } from "./slot-cache.ts";
import { hashOfId, hashOfName, nameOfHash, type Hash128 } from "./slot-hash.ts";
import { SlotMemory, slotStateWords, type SlotMemoryOptions } from "./slot-memory.ts";

export interface SharedSlotsOptions extends SlotMemoryOptions {
  /**
   * Called with the slot's lock held, after it was taken over from a thread that died while it held
   * it: what that thread was writing may be half written.
   */
  readonly repair?: (index: number) => void;
}

/** One id's place for as long as it keeps it. */
export interface Slot {
  readonly index: number;
  /** Odd; another one after the slot was given away. */
  readonly generation: number;
}

export interface SlotCopy {
  /** `nameOf` the slot. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * A table of fixed slots in one SharedArrayBuffer, so that several threads count exactly (design:
 * Store). Each thread remembers where ids stand, so that a hit costs a `Map.get`; a miss costs about
 * 1 µs under the table's lock.
 *
 * A slot stays with its id until `remove` or `reclaim`. Both take it under its lock and change its
 * generation, which `lock` looks at, so nobody ever counts in a slot that is another's by now. A new
 * slot's bytes are 0. A table that is full says so: `claim` gives undefined.
 *
 * Each slot has a lock, held for microseconds. The rule for a thread that died with one is that of
 * `SharedLocks`; `repair` then sees the slot first.
 */
export class SharedSlots {
  /** Hand it to `new SharedSlots` in another thread, with the same shape. */
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly bytesPerSlot: number;
  /** The bytes of all slots; a slot's begin at `index * bytesPerSlot`. */
  readonly bytes: Uint8Array;
  readonly int32: Int32Array;
  readonly float64: Float64Array;
  readonly int64: BigInt64Array;
  /** Eight numbers for the table's owner, 0 at first. */
  readonly ownerWords: Float64Array;

  readonly #memory: SlotMemory;
  readonly #locks: SharedLocks;
  readonly #tableLock: number;
  readonly #repair: (index: number) => void;
  readonly #cache = new SlotCache();

  constructor({ repair, ...options }: SharedSlotsOptions) {
    const memory = new SlotMemory(options);
    this.#memory = memory;
    this.buffer = memory.buffer;
    this.slots = memory.slots;
    this.bytesPerSlot = memory.bytesPerSlot;
    this.bytes = memory.bytes;
    this.int32 = memory.int32;
    this.float64 = memory.float64;
    this.int64 = memory.int64;
    this.ownerWords = memory.ownerWords;
    this.#tableLock = memory.slots;
    this.#repair = repair ?? (() => undefined);
    this.#locks = new SharedLocks(memory.states, slotStateWords, memory.member);
  }

  /** 32 hex digits. Secret: who knows it can make ids collide. */
  get seed(): string {
    return this.#memory.seed;
  }

  /** Slots that belong to an id. */
  get used(): number {
    return this.#memory.used;
  }

  /** The slot of an id, or undefined where it has none. */
  find(id: string): Slot | undefined {
    return this.#remembered(id) ?? this.#look(id, false);
  }

  /** The slot of an id, a new one where it had none; undefined where the table is full. */
  claim(id: string): Slot | undefined {
    return this.#remembered(id) ?? this.#look(id, true);
  }

  /** Takes a slot's lock. False: the slot is no longer this id's, and nothing is locked. */
  lock({ index, generation }: Slot): boolean {
    if (this.#locks.acquire(index)) this.#repair(index);
    if (this.#memory.generation(index) === generation) {
      // What is written from here on is seen by the next look at what was touched.
      this.#memory.touch(index);
      return true;
    }
    this.#locks.release(index);
    return false;
  }

  unlock({ index }: Slot): void {
    this.#locks.release(index);
  }

  /**
   * Runs `use` with the lock of an id's slot, claimed where it had none; undefined where the table
   * is full. `use` must not take a lock of this table itself, nor wait for anything.
   */
  withLock<T>(id: string, use: (index: number) => T): T | undefined {
    while (true) {
      const slot = this.claim(id);
      if (slot === undefined) return undefined;
      if (!this.lock(slot)) continue;
      try {
        return use(slot.index);
      } finally {
        this.unlock(slot);
      }
    }
  }

  /**
   * The same over several ids at once, no id twice. Locks are taken in the order of slots, so that
   * two callers never wait for each other.
   */
  withLocks<T>(ids: readonly string[], use: (slots: readonly Slot[]) => T): T | undefined {
    while (true) {
      const slots: Slot[] = [];
      for (const id of ids) {
        const slot = this.claim(id);
        if (slot === undefined) return undefined;
        slots.push(slot);
      }
      const inOrder = byIndex(slots);
      let locked = 0;
      try {
        while (locked < inOrder.length && this.#lockAt(inOrder, locked)) locked++;
        if (locked === inOrder.length) return use(slots);
      } finally {
        for (let i = 0; i < locked; i++) this.#locks.release(inOrder[i]?.index ?? 0);
      }
    }
  }

  /**
   * A copy of a slot for a store, made with its lock held; undefined where it belongs to nobody. Does
   * not count as a look-up.
   */
  copyOf(index: number): SlotCopy | undefined {
    if (this.#locks.acquire(index)) this.#repair(index);
    const at = index * this.bytesPerSlot;
    // A slot that is in use stays in use while its lock is held.
    const isUsed = this.#memory.isUsed(index);
    const bytes = isUsed ? Uint8Array.from(this.bytes.subarray(at, at + this.bytesPerSlot)) : null;
    const name = this.nameOf(index);
    this.#locks.release(index);
    return bytes === null ? undefined : { name, bytes };
  }

  /** Gives an id's slot away, whatever is in it. False where it had none. */
  remove(id: string): boolean {
    while (true) {
      const slot = this.find(id);
      if (slot === undefined) return false;
      if (!this.lock(slot)) continue;
      this.#withTable(() => this.#giveAway(slot.index));
      this.unlock(slot);
      return true;
    }
  }

  /**
   * Begins the next epoch and returns it. Slots are marked with it when they are looked up and when
   * they are locked: a copy made now has every write of a slot whose mark is older.
   */
  nextEpoch(): number {
    return this.#memory.nextEpoch();
  }

  /** The slots in use that were marked in `epoch` or later. */
  touchedSince(epoch: number): number[] {
    return this.#usedWhere((touched) => touched >= epoch);
  }

  /**
   * Gives away the slots that nobody looked up since `epoch` began and for which `mayGo` says so;
   * it is asked with the slot's lock held. Returns how many went.
   */
  reclaim(epoch: number, mayGo: (index: number) => boolean): number {
    let count = 0;
    for (const index of this.#usedWhere((touched) => touched < epoch)) {
      this.#withTable(() => {
        // Under the table's lock a slot's lock is only tried: others take them the other way round.
        if (!this.#locks.tryAcquire(index)) return;
        const isUsed = this.#memory.isUsed(index);
        if (isUsed && this.#memory.touchedIn(index) < epoch && mayGo(index)) {
          this.#giveAway(index);
          count++;
        }
        this.#locks.release(index);
      });
    }
    return count;
  }

  /** What names a slot's id in a store: 32 hex digits that only mean something under this seed. */
  nameOf(index: number): string {
    return nameOfHash(this.#memory.index.hashOf(index));
  }

  /** The same name for an id, whether or not it has a slot. */
  nameOfId(id: string): string {
    return nameOfHash(hashOfId(this.seed, id));
  }

  /** The slot of a name from a store under the same seed; undefined where the table is full. */
  claimNamed(name: string): Slot | undefined {
    const hash = hashOfName(name);
    return this.#withTable(() => this.#place(hash, true));
  }

  #lockAt(slots: readonly Slot[], at: number): boolean {
    const slot = slots[at];
    return slot !== undefined && this.lock(slot);
  }

  #remembered(id: string): Slot | undefined {
    const slot = this.#cache.get(id);
    if (slot === undefined) return undefined;
    if (this.#memory.generation(slot.index) !== slot.generation) return undefined;
    this.#memory.touch(slot.index);
    return slot;
  }

  #look(id: string, insert: boolean): Slot | undefined {
    const hash = hashOfId(this.seed, id);
    const slot = this.#withTable(() => this.#place(hash, insert));
    if (slot !== undefined) this.#cache.set(id, slot);
    return slot;
  }

  /** Under the table's lock. */
  #place(hash: Hash128, insert: boolean): Slot | undefined {
    const memory = this.#memory;
    const found = memory.index.find(hash);
    const index = found >= 0 ? found : insert ? this.#enter(hash) : undefined;
    if (index === undefined) return undefined;
    memory.touch(index);
    return { index, generation: memory.generation(index) };
  }

  /** A free slot becomes an id's; its generation, which says so, changes last. */
  #enter(hash: Hash128): number | undefined {
    const index = this.#memory.takeFree();
    if (index === undefined) return undefined;
    this.#memory.index.insert(index, hash);
    this.#memory.nextGeneration(index);
    return index;
  }

  /** Under the table's lock and the slot's. */
  #giveAway(index: number): void {
    this.#memory.nextGeneration(index);
    this.#memory.index.remove(index);
    this.#memory.giveBack(index);
  }

  #withTable<T>(use: () => T): T {
    if (this.#locks.acquire(this.#tableLock)) this.#memory.rebuild();
    try {
      return use();
    } finally {
      this.#locks.release(this.#tableLock);
    }
  }

  #usedWhere(matches: (touched: number) => boolean): number[] {
    const found: number[] = [];
    const { end } = this.#memory;
    for (let index = 0; index < end; index++) {
      if (this.#memory.isUsed(index) && matches(this.#memory.touchedIn(index))) found.push(index);
    }
    return found;
  }
}

function byIndex(slots: readonly Slot[]): readonly Slot[] {
  const [first, second] = slots;
  if (second === undefined) return slots;
  if (slots.length > 2) return slots.toSorted((a, b) => a.index - b.index);
  return first === undefined || first.index < second.index ? slots : [second, first];
}
