/** Something that happens at a moment; of two at the same moment, the one that was planned first comes first. */
export interface Planned {
  dueMs: number;
  order: number;
}

/** Planned events, the earliest first. */
export class EventQueue<T extends Planned> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(event: T): void {
    const heap = this.#heap;
    heap.push(event);
    let at = heap.length - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(at, above)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  take(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    heap[0] = last;
    this.#sink();
    return first;
  }

  /** Takes all events out, in no order. */
  takeAll(): readonly T[] {
    return this.#heap.splice(0);
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < this.#heap.length && this.#isBefore(below, least)) least = below;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) throw new Error("beyond the end of a queue");
    return left.dueMs === right.dueMs ? left.order < right.order : left.dueMs < right.dueMs;
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) throw new Error("beyond the end of a queue");
    this.#heap[one] = right;
    this.#heap[other] = left;
  }
}
