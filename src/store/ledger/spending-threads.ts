/** The other threads that spend from the books, as the writing thread sees them. */
export interface SpendingThreads {
  /** Resolves once everything that they had appended before the call is taken over. */
  handedOver(): Promise<void>;
  /**
   * A flush begins and includes everything taken over so far; call the returned function once it is
   * durable.
   */
  flushBegins(): () => void;
  /** A write has failed and will be tried again, or it takes too long and still runs. */
  flushFailed(): void;
  /** Everything is written again. */
  flushResumed(): void;
}
