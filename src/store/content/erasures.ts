import type { Outcome } from "../../contract/outcome.ts";

/** The content to erase, and the request for it. */
export interface Erasure {
  /** The id of the request that asks for it. */
  readonly id: string;
  readonly orgId: string;
  /** The request whose content is erased; null: all requests of the organization. */
  readonly requestId: string | null;
  /** The index of the event that named the request; null: none. */
  readonly index: number | null;
  readonly byKeyId: string;
}

/** Erases readable content and records an event for it, also with a crash in between. */
export interface Erasures {
  /**
   * Returns the number of erased records. When it resolves, the erasure and its event, or its plan, are
   * durable. Errors: `internal_error`; then nothing is erased, or the rest is erased later.
   */
  erase(erasure: Erasure): Promise<Outcome<number>>;
  /** Carries out erasures that were left. Call it at the start; it retries by itself. */
  resume(): Promise<void>;
  /** Call it before the contents are closed; a next start does the rest. */
  stop(): void;
}
