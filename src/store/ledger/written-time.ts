import type { Clock } from "../../runtime/clock.ts";

/** The time as it is written: that costs a microsecond, and most events share theirs with the one before. */
export class WrittenTime {
  readonly #clock: Clock;
  #wallMs = Number.NaN;
  #written = "";

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** ISO 8601. */
  now(): string {
    const wallMs = this.#clock.wallMs();
    if (wallMs !== this.#wallMs) {
      this.#wallMs = wallMs;
      this.#written = new Date(wallMs).toISOString();
    }
    return this.#written;
  }
}
