import { sharedLeaseMs } from "../../contract/limits.ts";

/** A moment by the two clocks of this machine. */
export interface LeaseMoment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The place of the word behind both ends. */
const givenUp = 2;

/**
 * How long this gateway may act on what it knows: `sharedLeaseMs` after it sent its last acknowledged flush. The others
 * take it for dead later than that. Both clocks are asked, because the monotonic one stands still while a machine sleeps.
 * All threads share it.
 */
export class Lease {
  readonly buffer: SharedArrayBuffer;
  readonly #ends: Float64Array;

  /** `buffer`: of another thread's lease. */
  constructor(buffer = new SharedArrayBuffer(24)) {
    this.buffer = buffer;
    this.#ends = new Float64Array(buffer);
  }

  now(): LeaseMoment {
    return { monotonicMs: Number(process.hrtime.bigint()) / 1e6, wallMs: Date.now() };
  }

  /** A flush that was sent at this moment is acknowledged. */
  renewed({ monotonicMs, wallMs }: LeaseMoment): void {
    this.#ends[0] = monotonicMs + sharedLeaseMs;
    this.#ends[1] = wallMs + sharedLeaseMs;
  }

  /** Ends it for good, whatever is acknowledged later. */
  giveUp(): void {
    this.#ends[givenUp] = 1;
  }

  /** Nothing may be admitted any more. */
  get isOver(): boolean {
    if (this.#ends[givenUp] === 1) return true;
    const { monotonicMs, wallMs } = this.now();
    const [monotonicEnd = 0, wallEnd = 0] = this.#ends;
    // A clock that was set back makes no lease longer.
    return monotonicMs >= monotonicEnd || wallMs >= wallEnd || wallMs < wallEnd - 2 * sharedLeaseMs;
  }
}
