import { sharedSlotCacheMax } from "../../contract/limits.ts";
import type { Slot } from "./shared-slots.ts";

/**
 * The slots of ids in a table, as one thread remembers them: recently used ids, at most twice
 * `sharedSlotCacheMax`.
 */
export class SlotCache {
  #young = new Map<string, Slot>();
  #old = new Map<string, Slot>();

  /** The slot may belong to another id by now. Its generation shows that. */
  get(id: string): Slot | undefined {
    const slot = this.#young.get(id);
    if (slot !== undefined) return slot;
    const old = this.#old.get(id);
    if (old !== undefined) this.set(id, old);
    return old;
  }

  set(id: string, slot: Slot): void {
    if (this.#young.size >= sharedSlotCacheMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, slot);
  }
}
