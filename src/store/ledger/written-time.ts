import type { Clock } from "../../runtime/clock.ts";

/**
 * Formats times. Formatting costs a microsecond, so it keeps the last result: most events have the same
 * time as the event before.
 */
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
