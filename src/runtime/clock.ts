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

/** The same with one origin for all threads of the process; each thread has its own `performance`. */
export const threadsClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
};
