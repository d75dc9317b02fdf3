import { randomBytes } from "node:crypto";
import { slotTableThreadsMax } from "../../contract/limits.ts";
import { bytesPerCell, SlotCells } from "./slot-cells.ts";
import { SlotIndex } from "./slot-index.ts";
import { TableLock } from "./table-lock.ts";

export interface SlotMemoryOptions {
  /** The most ids at the same time. */
  readonly slots: number;
  /** A multiple of 8. */
  readonly bytesPerSlot: number;
  /** `buffer` of a table of the same shape, in this thread or another; without it a new one is made. */
  readonly buffer?: SharedArrayBuffer;
  /** The hash seed of a new table, 32 hex digits; without it a random one. Secret. */
  readonly seed?: string;
  /**
   * Called between copy and publication at each try of every update by this thread. It is for tests
   * that stop a thread there.
   */
  readonly between?: () => void;
}

const headerBytes = 256;
const seedBytes = 16;
/** 32-bit words of the header. */
const word = {
  shape: 0,
  bytesPerSlot: 1,
  members: 2,
  lock: 3,
  /** Slots that were used and are free again. */
  free: 4,
  /** Slots from here on were never used. */
  end: 5,
  seed: 8,
} as const;
const ownerWordsOffset = 128;

/**
 * The one buffer of a table of slots: a header with its counts, the words of the slots, the slots that
 * are free again, the index of those in use, and the cells with their contents. Only the holder of
 * `lock` may use the counts and the free slots, and change the index.
 */
export class SlotMemory {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly bytesPerSlot: number;
  readonly lock: TableLock;
  readonly index: SlotIndex;
  readonly cells: SlotCells;
  /** Eight numbers for the table's owner, 0 at first. */
  readonly ownerWords: Float64Array;
  /** 32 hex digits. Secret: an attacker who knows it can make ids collide. */
  readonly seed: string;
  readonly #header: Int32Array;
  readonly #freeSlots: Int32Array;

  constructor({ slots, bytesPerSlot, buffer, seed, between }: SlotMemoryOptions) {
    if (bytesPerSlot % 8 !== 0) throw new Error("the bytes of a slot are a multiple of 8");
    let end = headerBytes;
    const place = (bytes: number): number => {
      const offset = end;
      end = Math.ceil((end + bytes) / 64) * 64;
      return offset;
    };
    const entries = 2 ** Math.ceil(Math.log2(slots * 2));
    const wordsOffset = place(slots * 8);
    const freeOffset = place(slots * 4);
    const hashesOffset = place(slots * 16);
    const entriesOffset = place(entries * 4);
    const cellsOffset = place((slots + slotTableThreadsMax) * bytesPerCell(bytesPerSlot));
    this.buffer = buffer ?? new SharedArrayBuffer(end);
    this.slots = slots;
    this.bytesPerSlot = bytesPerSlot;
    this.#header = new Int32Array(this.buffer, 0, headerBytes / 4);
    this.ownerWords = new Float64Array(this.buffer, ownerWordsOffset, 8);
    if (buffer === undefined) this.#format(seed ?? randomBytes(seedBytes).toString("hex"));
    else if (this.#word(word.shape) !== slots || this.#word(word.bytesPerSlot) !== bytesPerSlot) {
      throw new Error("the shared buffer has another shape");
    }
    this.seed = Buffer.from(this.buffer, word.seed * 4, seedBytes).toString("hex");
    this.#freeSlots = new Int32Array(this.buffer, freeOffset, slots);
    this.index = new SlotIndex(
      new Int32Array(this.buffer, entriesOffset, entries),
      new Int32Array(this.buffer, hashesOffset, slots * 4),
    );
    const member = Atomics.add(this.#header, word.members, 1);
    if (member >= slotTableThreadsMax) throw new Error("too many threads share one table");
    this.lock = new TableLock(this.#header, word.lock, member + 1);
    const layout = { buffer: this.buffer, slots, bytesPerSlot, wordsOffset, cellsOffset };
    this.cells = new SlotCells({
      ...layout,
      member,
      ...(between === undefined ? {} : { between }),
    });
  }

  /** Slots that belong to an id. */
  get used(): number {
    return this.#word(word.end) - this.#word(word.free);
  }

  /** Slots from here on were never used. */
  get end(): number {
    return this.#word(word.end);
  }

  /** A slot that belongs to nobody; undefined: there is none. */
  takeFree(): number | undefined {
    const free = this.#word(word.free);
    if (free > 0) {
      Atomics.store(this.#header, word.free, free - 1);
      return this.#freeSlots[free - 1];
    }
    const index = this.end;
    if (index === this.slots) return undefined;
    this.cells.begin(index);
    Atomics.store(this.#header, word.end, index + 1);
    return index;
  }

  giveBack(index: number): void {
    const free = this.#word(word.free);
    this.#freeSlots[free] = index;
    Atomics.store(this.#header, word.free, free + 1);
  }

  #word(at: number): number {
    return Atomics.load(this.#header, at);
  }

  #format(seed: string): void {
    Atomics.store(this.#header, word.shape, this.slots);
    Atomics.store(this.#header, word.bytesPerSlot, this.bytesPerSlot);
    Buffer.from(this.buffer, word.seed * 4, seedBytes).write(seed, "hex");
  }
}
