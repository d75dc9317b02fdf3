import { overloadBurstMax, overloadRestMs } from "../../contract/limits.ts";

/**
 * Requests that are taken in although they will wait: many that come at once are served late rather than
 * refused, for nothing says that as many will follow. While they do, nothing is allowed any more.
 */
export class BurstAllowance {
  #left = overloadBurstMax;
  /** When a request last came that would wait too long. */
  #overloadedAtMs = -Infinity;

  /** To be asked for each request that would wait too long: whether it is taken in all the same. */
  takes(nowMs: number): boolean {
    if (nowMs - this.#overloadedAtMs > overloadRestMs) this.#left = overloadBurstMax;
    this.#overloadedAtMs = nowMs;
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
