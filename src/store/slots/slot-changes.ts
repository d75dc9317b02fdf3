import type { SharedSlots } from "./shared-slots.ts";

/**
 * Finds the slots of a table that any thread has changed since the last look. Every look finds all
 * changes before it, even slow ones, because a slot's version changes together with its content in
 * one step.
 */
export class SlotChanges {
  readonly #table: SharedSlots;
  /** Each slot's version as of the last look, … */
  readonly #seen: Int32Array;
  /** … and the look that found its last change. */
  readonly #changedAt: Int32Array;
  #looks = 0;

  constructor(table: SharedSlots) {
    this.#table = table;
    this.#seen = new Int32Array(table.slots * 2);
    this.#changedAt = new Int32Array(table.slots);
    this.look();
  }

  /** The slots that have changed since the last look; at construction all slots count as seen. */
  look(): number[] {
    this.#looks += 1;
    const { versions, end } = this.#table;
    const changed: number[] = [];
    for (let index = 0; index < end; index++) {
      const at = index * 2;
      // The two halves may be from two moments, but one of them only grows, so a new value never looks
      // like an old one.
      const first = versions[at] ?? 0;
      const second = versions[at + 1] ?? 0;
      if (this.#seen[at] === first && this.#seen[at + 1] === second) continue;
      this.#seen[at] = first;
      this.#seen[at + 1] = second;
      this.#changedAt[index] = this.#looks;
      changed.push(index);
    }
    return changed;
  }

  /** How many looks ago the last change of a slot was found. */
  looksSinceChange(index: number): number {
    return this.#looks - (this.#changedAt[index] ?? 0);
  }

  /** The slots whose last change is `looks` looks ago, or a multiple of that. */
  idle(looks: number): number[] {
    const idle: number[] = [];
    for (let index = 0; index < this.#table.end; index++) {
      const age = this.#looks - (this.#changedAt[index] ?? 0);
      if (age > 0 && age % looks === 0) idle.push(index);
    }
    return idle;
  }
}
