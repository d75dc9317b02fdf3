/** A stream that is called when its next event is due. */
export interface Paced {
  /** Sends the event; false: that was the last one. */
  readonly due: () => boolean;
  readonly everyMs: number;
}

const tickMs = 1;

/**
 * Calls streams when their events are due. All streams share one timer, and each keeps the phase in
 * which it began, so that a hundred streams do not send at the same moment. After a late tick, the
 * missed events follow, one for each stream and tick.
 */
export class EventClock {
  readonly #dueAt = new Map<Paced, number>();
  #timer: NodeJS.Timeout | null = null;

  add(stream: Paced): void {
    this.#dueAt.set(stream, performance.now() + stream.everyMs);
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
  }

  remove(stream: Paced): void {
    this.#dueAt.delete(stream);
    if (this.#dueAt.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const now = performance.now();
    for (const [stream, dueAt] of this.#dueAt) {
      if (dueAt > now) continue;
      this.#dueAt.set(stream, dueAt + stream.everyMs);
      if (!stream.due()) this.remove(stream);
    }
  }
}
