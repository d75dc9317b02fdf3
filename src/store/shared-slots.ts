import { hash as digest, randomBytes } from "node:crypto";
import { sharedSlotCacheMax } from "../contract/limits.ts";
import { SharedLocks } from "./shared-locks.ts";
import { SlotIndex, type Hash128 } from "./slot-index.ts";

export interface SharedSlotsOptions {
  /** How many ids have room at once. */
  readonly slots: number;
  /** A multiple of 8. */
  readonly bytesPerSlot: number;
  /** `buffer` of a table of the same shape, in this thread or another; without it a new one is made. */
  readonly buffer?: SharedArrayBuffer;
  /** The hash seed of a new table, 32 hex digits; without it a random one. Secret. */
  readonly seed?: string;
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

const headerBytes = 256;
const seedBytes = 16;
/** 32-bit words of the header. */
const word = {
  shape: 0,
  bytesPerSlot: 1,
  members: 2,
  used: 3,
  free: 4,
  epoch: 5,
  /** Slots from here on were never used. */
  end: 6,
  seed: 8,
} as const;
const ownerWordsOffset = 128;
/** What is looked at with every use of a slot, in one cache line: its lock's two words first. */
const stateWords = 4;
const generationWord = 2;
const touchedWord = 3;

/**
 * A table of fixed slots in one SharedArrayBuffer, so that several threads count exactly (design:
 * Store). An id is found by 128 bits of SHA-256 over a secret seed and the id: ids that strangers
 * choose can't be made to collide. Each thread remembers where ids stand, so that a hit costs a
 * `Map.get`; a miss costs about 1 µs under the table's lock.
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

  readonly #header: Int32Array;
  readonly #locks: SharedLocks;
  readonly #tableLock: number;
  readonly #states: Int32Array;
  readonly #freeSlots: Int32Array;
  readonly #index: SlotIndex;
  readonly #repair: (index: number) => void;
  readonly #seed: string;
  #young = new Map<string, Slot>();
  #old = new Map<string, Slot>();

  constructor({ slots, bytesPerSlot, buffer, seed, repair }: SharedSlotsOptions) {
    if (bytesPerSlot % 8 !== 0) throw new Error("the bytes of a slot are a multiple of 8");
    const capacity = 2 ** Math.ceil(Math.log2(slots * 2));
    let end = headerBytes;
    const words = (count: number): readonly [number, number] => {
      const start = end;
      end = Math.ceil((end + count * 4) / 64) * 64;
      return [start, count];
    };
    const layout = {
      states: words((slots + 1) * stateWords),
      freeSlots: words(slots),
      hashes: words(slots * 4),
      entries: words(capacity),
    };
    const dataBytes = slots * bytesPerSlot;
    this.buffer = buffer ?? new SharedArrayBuffer(end + dataBytes);
    const view = ([start, count]: readonly [number, number]): Int32Array =>
      new Int32Array(this.buffer, start, count);
    this.slots = slots;
    this.bytesPerSlot = bytesPerSlot;
    this.#header = view([0, headerBytes / 4]);
    this.ownerWords = new Float64Array(this.buffer, ownerWordsOffset, 8);
    this.bytes = new Uint8Array(this.buffer, end, dataBytes);
    this.int32 = new Int32Array(this.buffer, end, dataBytes / 4);
    this.float64 = new Float64Array(this.buffer, end, dataBytes / 8);
    this.int64 = new BigInt64Array(this.buffer, end, dataBytes / 8);
    this.#states = view(layout.states);
    this.#freeSlots = view(layout.freeSlots);
    this.#index = new SlotIndex(view(layout.entries), view(layout.hashes));
    this.#tableLock = slots;
    this.#repair = repair ?? (() => undefined);
    if (buffer === undefined) this.#format(seed ?? randomBytes(seedBytes).toString("hex"));
    else if (this.#word(word.shape) !== slots || this.#word(word.bytesPerSlot) !== bytesPerSlot) {
      throw new Error("the shared buffer has another shape");
    }
    this.#seed = Buffer.from(this.buffer, word.seed * 4, seedBytes).toString("hex");
    this.#locks = new SharedLocks(
      this.#states,
      stateWords,
      Atomics.add(this.#header, word.members, 1) + 1,
    );
  }

  /** 32 hex digits. Secret: who knows it can make ids collide. */
  get seed(): string {
    return this.#seed;
  }

  /** Slots that belong to an id. */
  get used(): number {
    return this.#word(word.used);
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
    if (this.#generation(index) === generation) {
      // What is written from here on is seen by the next look at what was touched.
      this.#touch(index);
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
    const isUsed = (this.#generation(index) & 1) === 1;
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
    return Atomics.add(this.#header, word.epoch, 1) + 1;
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
        const isUsed = (this.#generation(index) & 1) === 1;
        if (isUsed && this.#touchedIn(index) < epoch && mayGo(index)) {
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
    return this.#index.hashOf(index).map(hexWord).join("");
  }

  /** The same name for an id, whether or not it has a slot. */
  nameOfId(id: string): string {
    return this.#hashOf(id).map(hexWord).join("");
  }

  /** The slot of a name from a store under the same seed; undefined where the table is full. */
  claimNamed(name: string): Slot | undefined {
    const at = (i: number): number => Number.parseInt(name.slice(i * 8, i * 8 + 8), 16) | 0;
    const hash: Hash128 = [at(0), at(1), at(2), at(3)];
    return this.#withTable(() => this.#place(hash, true));
  }

  #lockAt(slots: readonly Slot[], at: number): boolean {
    const slot = slots[at];
    return slot !== undefined && this.lock(slot);
  }

  #remembered(id: string): Slot | undefined {
    let slot = this.#young.get(id);
    if (slot === undefined) {
      slot = this.#old.get(id);
      if (slot === undefined) return undefined;
      this.#remember(id, slot);
    }
    if (this.#generation(slot.index) !== slot.generation) return undefined;
    this.#touch(slot.index);
    return slot;
  }

  #look(id: string, insert: boolean): Slot | undefined {
    const hash = this.#hashOf(id);
    const slot = this.#withTable(() => this.#place(hash, insert));
    if (slot !== undefined) this.#remember(id, slot);
    return slot;
  }

  #remember(id: string, slot: Slot): void {
    if (this.#young.size >= sharedSlotCacheMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, slot);
  }

  /** Under the table's lock. */
  #place(hash: Hash128, insert: boolean): Slot | undefined {
    let index = this.#index.find(hash);
    if (index < 0) {
      const free = this.#word(word.free);
      if (!insert || free === 0) return undefined;
      index = Atomics.load(this.#freeSlots, free - 1);
      this.bytes.fill(0, index * this.bytesPerSlot, (index + 1) * this.bytesPerSlot);
      Atomics.store(this.#header, word.free, free - 1);
      Atomics.add(this.#header, word.used, 1);
      if (index >= this.#word(word.end)) Atomics.store(this.#header, word.end, index + 1);
      this.#index.insert(index, hash);
      Atomics.add(this.#states, index * stateWords + generationWord, 1);
    }
    this.#touch(index);
    return { index, generation: this.#generation(index) };
  }

  /** Under the table's lock and the slot's. */
  #giveAway(index: number): void {
    Atomics.add(this.#states, index * stateWords + generationWord, 1);
    this.#index.remove(index);
    const free = this.#word(word.free);
    Atomics.store(this.#freeSlots, free, index);
    Atomics.store(this.#header, word.free, free + 1);
    Atomics.sub(this.#header, word.used, 1);
  }

  #withTable<T>(use: () => T): T {
    if (this.#locks.acquire(this.#tableLock)) this.#rebuild();
    try {
      return use();
    } finally {
      this.#locks.release(this.#tableLock);
    }
  }

  /** After a thread died inside the table: the slots' generations say which are in use. */
  #rebuild(): void {
    this.#index.clear();
    let free = 0;
    for (let index = this.slots - 1; index >= 0; index--) {
      if ((this.#generation(index) & 1) === 1) this.#index.link(index);
      else Atomics.store(this.#freeSlots, free++, index);
    }
    Atomics.store(this.#header, word.free, free);
    Atomics.store(this.#header, word.used, this.slots - free);
  }

  #usedWhere(matches: (touched: number) => boolean): number[] {
    const found: number[] = [];
    const end = this.#word(word.end);
    for (let index = 0; index < end; index++) {
      if ((this.#generation(index) & 1) === 0) continue;
      if (matches(this.#touchedIn(index))) found.push(index);
    }
    return found;
  }

  #hashOf(id: string): Hash128 {
    const bytes = digest("sha256", this.#seed + id, "binary");
    const at = (i: number): number =>
      (bytes.charCodeAt(i) << 24) |
      (bytes.charCodeAt(i + 1) << 16) |
      (bytes.charCodeAt(i + 2) << 8) |
      bytes.charCodeAt(i + 3);
    return [at(0), at(4), at(8), at(12)];
  }

  #touch(index: number): void {
    Atomics.store(this.#states, index * stateWords + touchedWord, this.#word(word.epoch));
  }

  #touchedIn(index: number): number {
    return Atomics.load(this.#states, index * stateWords + touchedWord);
  }

  #generation(index: number): number {
    return Atomics.load(this.#states, index * stateWords + generationWord);
  }

  #word(at: number): number {
    return Atomics.load(this.#header, at);
  }

  #format(seed: string): void {
    Atomics.store(this.#header, word.shape, this.slots);
    Atomics.store(this.#header, word.bytesPerSlot, this.bytesPerSlot);
    Buffer.from(this.buffer, word.seed * 4, seedBytes).write(seed, "hex");
    for (let i = 0; i < this.slots; i++) this.#freeSlots[i] = this.slots - 1 - i;
    Atomics.store(this.#header, word.free, this.slots);
  }
}

function hexWord(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}

function byIndex(slots: readonly Slot[]): readonly Slot[] {
  const [first, second] = slots;
  if (second === undefined) return slots;
  if (slots.length > 2) return slots.toSorted((a, b) => a.index - b.index);
  return first === undefined || first.index < second.index ? slots : [second, first];
}
