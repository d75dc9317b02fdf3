import {
  circuitCallsMin,
  circuitFailureShare,
  circuitOpenMs,
  circuitWindowMs,
} from "../../contract/limits.ts";
import type { CircuitView } from "../../contract/account-health.ts";

/** `closed`: calls go through; `open`: no call does; `half_open`: one probe is under way. */
type CircuitState =
  | { readonly name: "closed" }
  | { readonly name: "open"; readonly untilMs: number }
  | { readonly name: "half_open"; readonly sinceMs: number };

/** A call that a circuit has let through, as the state in which it began. */
export type CircuitCall = CircuitState;

/** `unknown` says nothing about the account. */
export type CallResult = "succeeded" | "failed" | "unknown";

const bucketCount = 10;
const bucketMs = circuitWindowMs / bucketCount;

/**
 * Takes one account out of rotation after sustained failures: at least `circuitCallsMin` calls in a sliding
 * window, with a share of `circuitFailureShare` that failed. After `circuitOpenMs` one probe decides. The
 * window slides in ten steps, so a call counts for 27 to 30 s.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  readonly #calls = new Uint32Array(bucketCount);
  readonly #failures = new Uint32Array(bucketCount);
  #bucket = 0;
  #state: CircuitState = { name: "closed" };

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#bucket = Math.floor(now() / bucketMs);
  }

  /** True from the failures that opened the circuit until a probe has succeeded. */
  get isOpen(): boolean {
    return this.#state.name !== "closed";
  }

  /** True if a call may be tried. Does not reserve the probe; `begin` does. */
  admits(): boolean {
    switch (this.#state.name) {
      case "closed":
        return true;
      case "open":
        return this.#now() >= this.#state.untilMs;
      case "half_open":
        // A probe that never ended must not keep the circuit open for ever.
        return this.#now() - this.#state.sinceMs >= circuitOpenMs;
    }
  }

  /**
   * Starts a call. In an open circuit whose time is over, the call is the probe. null if no call may start.
   */
  begin(): CircuitCall | null {
    if (!this.admits()) return null;
    if (this.#state.name !== "closed") this.#state = { name: "half_open", sinceMs: this.#now() };
    return this.#state;
  }

  /**
   * Ends a call. `failed` means a failed connection, a timeout, a reset or a 5xx. A call that began in an
   * earlier state does not count in this one: only the probe decides.
   */
  end(call: CircuitCall, result: CallResult): void {
    if (call !== this.#state) return;
    if (call.name === "half_open") {
      if (result === "succeeded") this.#close();
      else this.#open(result === "failed" ? circuitOpenMs : 0);
      return;
    }
    if (result === "unknown") return;
    this.#slide();
    const slot = this.#bucket % bucketCount;
    this.#calls[slot] = (this.#calls[slot] ?? 0) + 1;
    if (result === "succeeded") return;
    this.#failures[slot] = (this.#failures[slot] ?? 0) + 1;
    const calls = sum(this.#calls);
    const tripped = calls >= circuitCallsMin && sum(this.#failures) >= calls * circuitFailureShare;
    if (tripped) this.#open(circuitOpenMs);
  }

  /** For people who look at it. */
  view(): CircuitView {
    this.#slide();
    const { name } = this.#state;
    const retryAfterSeconds = name === "closed" ? null : this.retryAfterSeconds();
    return { name, retryAfterSeconds, calls: sum(this.#calls), failures: sum(this.#failures) };
  }

  /** Whole seconds until a call may be tried, at least 1. */
  retryAfterSeconds(): number {
    const untilMs =
      this.#state.name === "open"
        ? this.#state.untilMs
        : this.#state.name === "half_open"
          ? this.#state.sinceMs + circuitOpenMs
          : 0;
    return Math.max(1, Math.ceil((untilMs - this.#now()) / 1000));
  }

  #open(forMs: number): void {
    this.#state = { name: "open", untilMs: this.#now() + forMs };
  }

  #close(): void {
    this.#state = { name: "closed" };
    this.#calls.fill(0);
    this.#failures.fill(0);
  }

  #slide(): void {
    const current = Math.floor(this.#now() / bucketMs);
    const passed = Math.min(current - this.#bucket, bucketCount);
    for (let i = 1; i <= passed; i++) {
      const slot = (this.#bucket + i) % bucketCount;
      this.#calls[slot] = 0;
      this.#failures[slot] = 0;
    }
    this.#bucket = current;
  }
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
