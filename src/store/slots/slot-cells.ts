import { slotChangeTriesMax } from "../../contract/limits.ts";

/**
 * The places of a table's slots and contents in its buffer, in bytes; each offset is a multiple of 8.
 */
export interface CellsLayout {
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  /** A multiple of 8. */
  readonly bytesPerSlot: number;
  /** 8 bytes a slot. */
  readonly wordsOffset: number;
  /** `bytesPerCell` for each slot, then for each thread that may attach. */
  readonly cellsOffset: number;
}

export interface CellsOptions extends CellsLayout {
  /** The number of this thread among those that have attached, from 0. */
  readonly member: number;
  readonly between?: () => void;
}

/** The result of an update of a slot. */
export type Update =
  /** Published. */
  | "changed"
  /** `use` did not change the content. */
  | "kept"
  /** The slot now belongs to another id, or to none. Nothing was changed. */
  | "gone"
  /** Other threads were faster at every try. Nothing was changed. */
  | "busy";

/** The generation of a slot is stored after its content. */
const generationBytes = 8;

/** The bytes of a cell for a slot with this many bytes of content. */
export function bytesPerCell(bytesPerSlot: number): number {
  return bytesPerSlot + generationBytes;
}

/**
 * The contents of a table's slots. A slot's content is in a cell, and the slot's word names that cell:
 * a cell's number and a version. Every thread also has a spare cell. An update copies the slot's cell
 * into the spare, changes the copy, and publishes it by one compare-and-swap of the word, from what was
 * copied to the spare's number with the next version. From then on the old cell is the spare.
 *
 * So no thread ever waits for another. If a thread stops or ends at any point, the others continue.
 * When the stopped thread continues, the word has another version, its swap fails, and it starts again
 * with a new copy. If a swap fails, another thread's swap has succeeded. A version repeats after 4
 * billion updates of one slot. A stopped thread is ended long before that (`proxyThreadAnswerMsMax`).
 *
 * The slot's owner is part of the same content (its generation). So freeing a slot and updating it for
 * its old owner exclude each other by the same swap.
 */
export class SlotCells {
  readonly bytesPerCell: number;
  /** The bytes of all cells; a cell's begin at `cell * bytesPerCell`. */
  readonly bytes: Uint8Array;
  readonly int32: Int32Array;
  readonly float64: Float64Array;
  readonly int64: BigInt64Array;
  /** The words by halves: each slot's cell, then its version. The same pair never comes again. */
  readonly halves: Int32Array;
  readonly #words: BigInt64Array;
  readonly #generationWord: number;
  readonly #between: (() => void) | undefined;
  /** One word in two halves, to split it without 64-bit arithmetic. */
  readonly #pair = new Int32Array(2);
  readonly #pairWord = new BigInt64Array(this.#pair.buffer);
  #spare: number;
  #isUpdating = false;

  constructor({ buffer, slots, member, between, ...layout }: CellsOptions) {
    const { bytesPerSlot, wordsOffset, cellsOffset } = layout;
    this.bytesPerCell = bytesPerCell(bytesPerSlot);
    this.#words = new BigInt64Array(buffer, wordsOffset, slots);
    this.halves = new Int32Array(buffer, wordsOffset, slots * 2);
    this.bytes = new Uint8Array(buffer, cellsOffset);
    this.int32 = new Int32Array(buffer, cellsOffset);
    this.float64 = new Float64Array(buffer, cellsOffset);
    this.int64 = new BigInt64Array(buffer, cellsOffset);
    this.#generationWord = bytesPerSlot / 4;
    this.#between = between;
    this.#spare = slots + member;
  }

  /**
   * Call it before the slot's first use, while no other thread can use it: a slot's first cell is its
   * own.
   */
  begin(index: number): void {
    this.halves[index * 2] = index;
  }

  /** Odd while the slot belongs to an id. */
  generation(index: number): number {
    for (let tries = 0; tries < slotChangeTriesMax; tries++) {
      const seen = Atomics.load(this.#words, index);
      const generation = this.#generationOf(this.#cellOf(seen));
      if (this.#isStill(index, seen)) return generation;
    }
    throw new Error("a slot changed too often to be looked at");
  }

  /** The same, but it may be old or wrong. It is for a first check that `update` repeats. */
  generationHint(index: number): number {
    return this.#generationOf(this.halves[index * 2] ?? 0);
  }

  /**
   * Runs `use` with a cell that has a copy of the slot's content, and publishes the copy if `use`
   * returns true. `use` may run several times, each time with a new copy: it must have no effects
   * outside the cell and must not use this table. It always sees the content of one moment.
   */
  update(index: number, generation: number, use: (cell: number) => boolean): Update {
    if (this.#isUpdating) throw new Error("an update of a slot asked for another one");
    this.#isUpdating = true;
    try {
      for (let tries = 0; tries < slotChangeTriesMax; tries++) {
        const seen = Atomics.load(this.#words, index);
        if (!this.#copy(index, seen)) continue;
        if (this.#generationOf(this.#spare) !== generation) return "gone";
        if (!use(this.#spare)) return "kept";
        this.#between?.();
        if (this.#publish(index, seen)) return "changed";
      }
      return "busy";
    } finally {
      this.#isUpdating = false;
    }
  }

  /**
   * Frees the copied slot in the cell, or gives it to the next id, and fills the content with zeros.
   */
  turnOver(cell: number): void {
    const generation = this.#generationOf(cell);
    this.bytes.fill(0, cell * this.bytesPerCell, (cell + 1) * this.bytesPerCell);
    this.int32[(cell * this.bytesPerCell) / 4 + this.#generationWord] = generation + 1;
  }

  #copy(index: number, seen: bigint): boolean {
    const from = this.#cellOf(seen) * this.bytesPerCell;
    this.bytes.copyWithin(this.#spare * this.bytesPerCell, from, from + this.bytesPerCell);
    return this.#isStill(index, seen);
  }

  /**
   * Whether everything read since `seen` was loaded is the content of that moment. A load can't tell,
   * because ARM may do it before the reads. A swap that writes the same value again has a place in
   * the order of all swaps. A thread that takes the cell as its spare does so by a later swap, and
   * writes to the cell only after that.
   */
  #isStill(index: number, seen: bigint): boolean {
    return Atomics.compareExchange(this.#words, index, seen, seen) === seen;
  }

  #publish(index: number, seen: bigint): boolean {
    const old = this.#cellOf(seen);
    this.#pair[0] = this.#spare;
    this.#pair[1] = (this.#pair[1] ?? 0) + 1;
    const next = this.#pairWord[0] ?? seen;
    if (Atomics.compareExchange(this.#words, index, seen, next) !== seen) return false;
    this.#spare = old;
    return true;
  }

  #cellOf(word: bigint): number {
    this.#pairWord[0] = word;
    return this.#pair[0] ?? 0;
  }

  #generationOf(cell: number): number {
    return this.int32[(cell * this.bytesPerCell) / 4 + this.#generationWord] ?? 0;
  }
}
