import { overloadBurstMax, overloadRestMs } from "../../contract/limits.ts";

/**
 * Requests that are taken in although they will wait. A burst is served late rather than refused, because it
 * may be a single one. While the overload lasts, the allowance is not renewed.
 */
export class BurstAllowance {
  #left = overloadBurstMax;
  /** When the last request came that would wait too long. */
  #overloadedAtMs = -Infinity;

  /** Must be called for each request that would wait too long. True if it is taken in nevertheless. */
  takes(nowMs: number): boolean {
    if (nowMs - this.#overloadedAtMs > overloadRestMs) this.#left = overloadBurstMax;
    this.#overloadedAtMs = nowMs;
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
