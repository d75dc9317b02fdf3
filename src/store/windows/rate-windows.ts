/** One window that a request has to fit into. */
export interface RateCheck {
  /** Names the window, such as `org:<id>`. */
  readonly id: string;
  /** Units in any 60 seconds. */
  readonly limit: number;
  /** The units that the request takes; 1 by default. */
  readonly units?: number;
}

/** A window after the check. */
export interface RateState {
  readonly limit: number;
  /**
   * Units that would still be admitted now. If several gateways share the limit: as far as this one knows, with what no
   * gateway had when it asked last.
   */
  readonly remaining: number;
  /**
   * If the check refused: the Unix second, rounded up, from which the request would be admitted if no
   * other request came. Otherwise: the second from which the oldest unit no longer counts.
   */
  readonly resetUnixSeconds: number;
  /** The same as whole seconds from now, at least 1. */
  readonly resetAfterSeconds: number;
}

export type RateDecision =
  /** In the order of the checks. */
  | { readonly admitted: true; readonly states: readonly RateState[] }
  | RateRefusal
  /**
   * A window could not be changed at this moment; another try may succeed. No unit was taken from any
   * window.
   */
  | { readonly admitted: false; readonly refusedAt: null };

/** Nothing was taken from any window. */
export interface RateRefusal {
  readonly admitted: false;
  /** The first check that refused. */
  readonly refusedAt: number;
  readonly state: RateState;
  /**
   * Units that are missing in this gateway's share of a limit that has room for them; 0 if the limit itself has none. It
   * is always 0 without a shared store.
   */
  readonly short: number;
}

/** Rate limits over a sliding window of 60 seconds (spec: Rate limits 1). */
export interface RateWindows {
  /**
   * Takes the units from every window or from none; no window ever admits more than its limit. A
   * request in another thread may take the last units of one window at the same moment, find no room in
   * another and give them back at once: this request may then be refused because of them.
   */
  consume(checks: readonly RateCheck[]): RateDecision;
}
