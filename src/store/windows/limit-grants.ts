import type { UsageCap } from "./usage-windows.ts";

/** What a question for more of a limit has brought. */
export type LimitAnswer =
  /** Another try may succeed. */
  | { readonly outcome: "granted" }
  /**
   * Nobody has so much to spare. `waitMs`: when enough has left a cap's window; 0: at any time. `usage`: what counts
   * against a cap at all gateways.
   */
  | { readonly outcome: "scarce"; readonly waitMs: number; readonly usage: bigint }
  /** The shared store could not be asked in time. */
  | { readonly outcome: "away" };

/** Which table of rate windows: those of keys and organizations, or those of addresses. */
export type RateTable = "rates" | "passthrough";

/**
 * Asks the store that several gateways share for more of a limit, when this gateway's part is used up. It takes a
 * millisecond or two; up to about 300 ms if others have to return something first. Never rejects.
 */
export interface LimitGrants {
  /** `short`: the units that are missing, 1 at least. */
  rate(table: RateTable, id: string, limit: number, short: number): Promise<LimitAnswer>;
  /** `short`: the amount that is missing, 1 at least. */
  cap(cap: UsageCap, short: bigint): Promise<LimitAnswer>;
}
