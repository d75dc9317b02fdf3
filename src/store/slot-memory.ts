import { randomBytes } from "node:crypto";
import { SlotIndex } from "./slot-index.ts";

export interface SlotMemoryOptions {
  /** How many ids have room at once. */
  readonly slots: number;
  /** A multiple of 8. */
  readonly bytesPerSlot: number;
  /** `buffer` of a table of the same shape, in this thread or another; without it a new one is made. */
  readonly buffer?: SharedArrayBuffer;
  /** The hash seed of a new table, 32 hex digits; without it a random one. Secret. */
  readonly seed?: string;
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
export const slotStateWords = 4;
const generationWord = 2;
const touchedWord = 3;

/**
 * The one buffer of a table of slots: a header with its counts, a few words of state a slot, the slots
 * that are free, the index of those that are not, and the slots' own bytes. The counts, the free slots
 * and the index are for whoever holds the table's lock.
 */
export class SlotMemory {
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
  /** `slotStateWords` a slot, and as many for the table. */
  readonly states: Int32Array;
  readonly index: SlotIndex;
  /** 32 hex digits. Secret: who knows it can make ids collide. */
  readonly seed: string;
  /** Of those that have attached to the buffer, from 1. */
  readonly member: number;
  readonly #header: Int32Array;
  readonly #freeSlots: Int32Array;

  constructor({ slots, bytesPerSlot, buffer, seed }: SlotMemoryOptions) {
    if (bytesPerSlot % 8 !== 0) throw new Error("the bytes of a slot are a multiple of 8");
    const capacity = 2 ** Math.ceil(Math.log2(slots * 2));
    let end = headerBytes;
    const words = (count: number): readonly [number, number] => {
      const start = end;
      end = Math.ceil((end + count * 4) / 64) * 64;
      return [start, count];
    };
    const layout = {
      states: words((slots + 1) * slotStateWords),
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
    this.states = view(layout.states);
    this.#freeSlots = view(layout.freeSlots);
    this.index = new SlotIndex(view(layout.entries), view(layout.hashes));
    if (buffer === undefined) this.#format(seed ?? randomBytes(seedBytes).toString("hex"));
    else if (this.#word(word.shape) !== slots || this.#word(word.bytesPerSlot) !== bytesPerSlot) {
      throw new Error("the shared buffer has another shape");
    }
    this.seed = Buffer.from(this.buffer, word.seed * 4, seedBytes).toString("hex");
    this.member = Atomics.add(this.#header, word.members, 1) + 1;
  }

  /** Slots that belong to an id. */
  get used(): number {
    return this.#word(word.used);
  }

  /** Slots from here on were never used. */
  get end(): number {
    return this.#word(word.end);
  }

  /** Begins the next epoch and returns it. */
  nextEpoch(): number {
    return Atomics.add(this.#header, word.epoch, 1) + 1;
  }

  /** Odd while the slot belongs to an id. */
  generation(index: number): number {
    return Atomics.load(this.states, index * slotStateWords + generationWord);
  }

  isUsed(index: number): boolean {
    return (this.generation(index) & 1) === 1;
  }

  nextGeneration(index: number): void {
    Atomics.add(this.states, index * slotStateWords + generationWord, 1);
  }

  /** Marks a slot with the epoch. */
  touch(index: number): void {
    Atomics.store(this.states, index * slotStateWords + touchedWord, this.#word(word.epoch));
  }

  touchedIn(index: number): number {
    return Atomics.load(this.states, index * slotStateWords + touchedWord);
  }

  /** A free slot, its bytes 0; undefined: there is none. */
  takeFree(): number | undefined {
    const free = this.#word(word.free);
    if (free === 0) return undefined;
    const index = Atomics.load(this.#freeSlots, free - 1);
    this.bytes.fill(0, index * this.bytesPerSlot, (index + 1) * this.bytesPerSlot);
    Atomics.store(this.#header, word.free, free - 1);
    Atomics.add(this.#header, word.used, 1);
    if (index >= this.end) Atomics.store(this.#header, word.end, index + 1);
    return index;
  }

  giveBack(index: number): void {
    const free = this.#word(word.free);
    Atomics.store(this.#freeSlots, free, index);
    Atomics.store(this.#header, word.free, free + 1);
    Atomics.sub(this.#header, word.used, 1);
  }

  /** After a thread died inside the table: the slots' generations say which are in use. */
  rebuild(): void {
    this.index.clear();
    let free = 0;
    for (let index = this.slots - 1; index >= 0; index--) {
      if (this.isUsed(index)) this.index.link(index);
      else Atomics.store(this.#freeSlots, free++, index);
    }
    Atomics.store(this.#header, word.free, free);
    Atomics.store(this.#header, word.used, this.slots - free);
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
