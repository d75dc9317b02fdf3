/** Time as the store sees it, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970; an operator may set it back. */
  wallMs(): number;
  /** Milliseconds since some moment; never goes back. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
