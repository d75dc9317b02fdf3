import type { Clock } from "../../src/runtime/clock.ts";

/** A clock that a test sets. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs: number;

  constructor(wallMs = Date.UTC(2026, 0, 1), monotonicMs = 5_000_000) {
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Time passes, on both. */
  advance(ms: number): void {
    this.#wallMs += ms;
    this.#monotonicMs += ms;
  }

  /** An operator sets the wall clock. */
  setWall(byMs: number): void {
    this.#wallMs += byMs;
  }
}
