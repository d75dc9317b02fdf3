import { sharedFenceMs, sharedSweepMs, sharedSweptMax } from "../../contract/limits.ts";
import type { SharedFunctions } from "./functions.ts";
import type { LimitFunctions } from "./limit-functions.ts";

export interface LiveGatewaysOptions {
  readonly functions: Pick<SharedFunctions, "liveGateways" | "end">;
  readonly limits: Pick<LimitFunctions, "sweepLimits">;
}

/**
 * The gateways that live, as one of them sees them. It ends those whose flushes stand still, by its own clock. The one
 * with the lowest id does what only one needs to do.
 */
export class LiveGateways {
  readonly #options: LiveGatewaysOptions;
  /** The number of each one's last flush, and since when it is that. */
  readonly #seen = new Map<number, { readonly seq: number; readonly sinceMs: number }>();
  #isFirst = false;
  #sweptAtMs = -Infinity;

  constructor(options: LiveGatewaysOptions) {
    this.#options = options;
  }

  /** Of all gateways that live, this one has the lowest id. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** A connection is lost: others may have gone on unseen, so all is observed anew. */
  forget(): void {
    this.#seen.clear();
  }

  /** Looks at the others; `own`: this gateway's id. Rejects if the store can't be reached. */
  async look(own: number): Promise<void> {
    const { functions, limits } = this.#options;
    const live = await functions.liveGateways();
    const nowMs = performance.now();
    const ids = new Set(live.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
    for (const { id, seq } of live) {
      if (id === own) continue;
      const before = this.#seen.get(id);
      if (before?.seq !== seq) this.#seen.set(id, { seq, sinceMs: nowMs });
      else if (nowMs - before.sinceMs >= sharedFenceMs) await functions.end(id, seq, "fenced");
    }
    this.#isFirst = live.every(({ id }) => id >= own);
    if (!this.#isFirst || nowMs - this.#sweptAtMs < sharedSweepMs) return;
    this.#sweptAtMs = nowMs;
    await limits.sweepLimits(sharedSweptMax);
  }
}
