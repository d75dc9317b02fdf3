import { slotChangeTriesMax } from "../../contract/limits.ts";
import type { Update } from "./slot-cells.ts";
import { SlotCache } from "./slot-cache.ts";
import { hashOfId, hashOfName, nameOfHash, type Hash128 } from "./slot-hash.ts";
import { SlotMemory, type SlotMemoryOptions } from "./slot-memory.ts";

/** The place of an id, as long as the id keeps it. */
export interface Slot {
  readonly index: number;
  /** Odd. It changes when the slot gets another owner. */
  readonly generation: number;
  /** The result of `nameOf`, after the first call. */
  name: string | null;
}

/** Why there is no slot for an id: the table has no room, or another thread keeps its lock. */
export type NoSlot = "full" | "busy";

export interface SlotCopy {
  /** The result of `nameOf` for the slot. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * A table of fixed slots in one SharedArrayBuffer, so that several threads count exactly (design:
 * Store). Each thread remembers the slots of ids, so a hit costs a `Map.get`; a miss costs about 1 µs.
 *
 * A slot belongs to its id until `remove` or `reclaim`; a later use finds the slot gone, so no thread
 * ever counts in a slot that now belongs to another id. A new slot's bytes are 0. A slot's content is
 * read and changed without a lock (`SlotCells`): no thread waits for another. Only a new id, `remove`
 * and `reclaim` need the table's lock, for about 1 µs. They return "busy" if another thread keeps the
 * lock longer.
 */
export class SharedSlots {
  /** Hand it to `new SharedSlots` in another thread, with the same shape. */
  readonly buffer: SharedArrayBuffer;
  readonly slots: number;
  readonly bytesPerSlot: number;
  /** The distance, in `bytes` and the other views, between the cells that `change` passes. */
  readonly bytesPerCell: number;
  readonly bytes: Uint8Array;
  readonly int32: Int32Array;
  readonly float64: Float64Array;
  readonly int64: BigInt64Array;
  /** Eight numbers for the table's owner, 0 at first. */
  readonly ownerWords: Float64Array;
  /** Two words for each slot; every change of the slot changes them. For `SlotChanges`. */
  readonly versions: Int32Array;

  readonly #memory: SlotMemory;
  readonly #cache = new SlotCache();

  constructor(options: SlotMemoryOptions) {
    const memory = new SlotMemory(options);
    const { cells } = memory;
    this.#memory = memory;
    this.buffer = memory.buffer;
    this.slots = memory.slots;
    this.bytesPerSlot = memory.bytesPerSlot;
    this.bytesPerCell = cells.bytesPerCell;
    this.bytes = cells.bytes;
    this.int32 = cells.int32;
    this.float64 = cells.float64;
    this.int64 = cells.int64;
    this.ownerWords = memory.ownerWords;
    this.versions = cells.halves;
  }

  /** 32 hex digits. Secret: an attacker who knows it can make ids collide. */
  get seed(): string {
    return this.#memory.seed;
  }

  /** Slots that belong to an id. */
  get used(): number {
    return this.#memory.used;
  }

  /** Slots from here on were never used. */
  get end(): number {
    return this.#memory.end;
  }

  /**
   * The slot of an id, or undefined if it has none. The search may miss the slot while another id is
   * being removed.
   */
  find(id: string): Slot | undefined {
    return this.#remembered(id) ?? this.#noted(id, (hash) => this.#located(hash));
  }

  /** The slot of an id, a new one if it had none. */
  claim(id: string): Slot | NoSlot {
    return this.#remembered(id) ?? this.#noted(id, (hash) => this.#placed(hash));
  }

  /**
   * Changes or reads a slot's content: runs `use` with a cell that has a copy of the content of one
   * moment. If `use` returns true, the cell replaces the slot's content, unless the slot has changed
   * meanwhile: then `use` runs again with a new copy. So `use` must have no effects outside the cell,
   * and must not use this table. "busy" only after `slotChangeTriesMax` tries.
   */
  change({ index, generation }: Slot, use: (cell: number) => boolean): Update {
    return this.#memory.cells.update(index, generation, use);
  }

  /** Like `change`, for changes that can't be refused: throws instead of returning "busy". */
  mustChange(slot: Slot, use: (cell: number) => boolean): Exclude<Update, "busy"> {
    const update = this.change(slot, use);
    if (update === "busy") throw new Error("a slot changed too often to be changed");
    return update;
  }

  /** Like `change`, for an id's slot; makes a new slot if the id had none. */
  changeOf(id: string, use: (cell: number) => boolean): Exclude<Update, "gone"> | "full" {
    for (let tries = 0; tries < slotChangeTriesMax; tries++) {
      const slot = this.claim(id);
      if (typeof slot === "string") return slot;
      const update = this.change(slot, use);
      if (update !== "gone") return update;
    }
    return "busy";
  }

  /** Reads a slot as `change` does; false if it belongs to no id. */
  look(index: number, use: (cell: number) => void): boolean {
    const { cells } = this.#memory;
    const generation = cells.generation(index);
    if (!isUsed(generation)) return false;
    const update = cells.update(index, generation, (cell) => {
      use(cell);
      return false;
    });
    return update === "kept";
  }

  /** A copy of a slot for a store; undefined if the slot belongs to no id. */
  copyOf(index: number): SlotCopy | undefined {
    const { cells } = this.#memory;
    const generation = cells.generation(index);
    if (!isUsed(generation)) return undefined;
    // The name belongs to the copied content, because the slot is not given away until the copy is
    // made.
    const name = this.nameOf(index);
    let bytes: Uint8Array | undefined;
    cells.update(index, generation, (cell) => {
      const at = cell * this.bytesPerCell;
      bytes = this.bytes.slice(at, at + this.bytesPerSlot);
      return false;
    });
    return bytes === undefined ? undefined : { name, bytes };
  }

  /** Frees an id's slot, whatever its content. False if the id had none. */
  remove(id: string): boolean | "busy" {
    const hash = hashOfId(this.seed, id);
    return this.#memory.lock.hold(() => {
      const slot = this.#located(hash);
      if (slot === undefined) return false;
      return this.#giveAway(slot, () => true) === "changed" ? true : "busy";
    });
  }

  /**
   * Frees a slot if `mayGo` allows it for a copy of its content (as `use` of `change`), and returns the
   * slot's name. undefined: it stays, belongs to no id, or is being changed.
   */
  reclaim(index: number, mayGo: (cell: number) => boolean): string | undefined {
    const { cells, lock } = this.#memory;
    if (!isUsed(cells.generationHint(index))) return undefined;
    const name = lock.hold(() => {
      const generation = cells.generation(index);
      if (!isUsed(generation)) return undefined;
      const update = this.#giveAway({ index, generation, name: null }, mayGo);
      return update === "changed" ? this.nameOf(index) : undefined;
    });
    return name === "busy" ? undefined : name;
  }

  /** The name of a slot's id in a store: 32 hex digits that have a meaning only with this seed. */
  nameOf(index: number): string {
    return nameOfHash(this.#memory.index.hashOf(index));
  }

  /** The same, faster, for a slot that is used often; undefined: it was freed. */
  nameOfSlot(slot: Slot): string | undefined {
    if (slot.name === null) {
      const name = this.nameOf(slot.index);
      // Named before it was given to its id, and so the same for as long as it is.
      if (this.#memory.cells.generation(slot.index) !== slot.generation) return undefined;
      slot.name = name;
    }
    return slot.name;
  }

  /** The same name for an id, whether or not it has a slot. */
  nameOfId(id: string): string {
    return nameOfHash(hashOfId(this.seed, id));
  }

  /** The slot of a name from a store under the same seed. */
  claimNamed(name: string): Slot | NoSlot {
    return this.#placed(hashOfName(name));
  }

  #remembered(id: string): Slot | undefined {
    const slot = this.#cache.get(id);
    if (slot === undefined) return undefined;
    return this.#memory.cells.generationHint(slot.index) === slot.generation ? slot : undefined;
  }

  #noted<Found extends Slot | NoSlot | undefined>(
    id: string,
    find: (hash: Hash128) => Found,
  ): Found {
    const slot = find(hashOfId(this.seed, id));
    if (typeof slot === "object") this.#cache.set(id, slot);
    return slot;
  }

  #located(hash: Hash128): Slot | undefined {
    const { index, cells } = this.#memory;
    const found = index.find(hash);
    if (found < 0) return undefined;
    const generation = cells.generation(found);
    // Named before it was given to its id, and so the same for as long as it is.
    if (!isUsed(generation) || !index.has(found, hash)) return undefined;
    return cells.generation(found) === generation
      ? { index: found, generation, name: null }
      : undefined;
  }

  #placed(hash: Hash128): Slot | NoSlot {
    return (
      this.#located(hash) ??
      // Another thread may have been faster, or the entry was being moved in the index.
      this.#memory.lock.hold(() => this.#located(hash) ?? this.#enter(hash))
    );
  }

  /** Under the table's lock. */
  #enter(hash: Hash128): Slot | "full" {
    const { index, cells } = this.#memory;
    const free = this.#memory.takeFree();
    if (free === undefined) return "full";
    index.name(free, hash);
    const generation = cells.generation(free);
    const update = cells.update(free, generation, (cell) => {
      cells.turnOver(cell);
      return true;
    });
    if (update !== "changed") throw new Error("a slot that belongs to nobody was changed");
    index.enter(free);
    return { index: free, generation: generation + 1, name: null };
  }

  /** Under the table's lock. */
  #giveAway({ index, generation }: Slot, mayGo: (cell: number) => boolean): Update {
    const { cells } = this.#memory;
    const update = cells.update(index, generation, (cell) => {
      if (!mayGo(cell)) return false;
      cells.turnOver(cell);
      return true;
    });
    if (update !== "changed") return update;
    this.#memory.index.remove(index);
    this.#memory.giveBack(index);
    return update;
  }
}

/** Generations are odd while a slot belongs to an id. */
function isUsed(generation: number): boolean {
  return (generation & 1) === 1;
}
