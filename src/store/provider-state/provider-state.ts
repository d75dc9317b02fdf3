import { providerStateIdCharsMax } from "../../contract/limits.ts";

/** What an organization has created at an account: the journal's operation. */
export interface BindOperation {
  readonly kind: "bind";
  readonly orgId: string;
  /** The account that made it, and that alone can serve it. */
  readonly account: string;
  readonly ids: readonly string[];
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Ids that are older than their organization's retention are forgotten. */
export interface UnbindOperation {
  readonly kind: "unbind";
  readonly keys: readonly (readonly [orgId: string, id: string])[];
}

export interface ProviderStateRow {
  readonly account: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** The ids of what providers store, by the organization that has created it here. */
export interface ProviderState {
  /**
   * The account that made it; undefined if this organization has created no such thing here, or so long ago
   * that its content is no longer kept. In the thread that created it, an id is known at once; in others
   * after `caughtUp`. After a crash it is known if its answer's debit is in the books.
   */
  find(orgId: string, id: string): string | undefined;
  /**
   * Resolves when `find` knows everything that any thread had created by now, at the latest after
   * `providerStateCatchUpMsMax`. Never rejects.
   */
  caughtUp(): Promise<void>;
  /** Makes ids known in this thread. `BindOperation` alone makes them durable. */
  created(operation: BindOperation): void;
}

/** Ids that may be bound. A longer one is never known. */
export function isBindable(id: string): boolean {
  return id !== "" && id.length <= providerStateIdCharsMax && /^[!-~]+$/.test(id);
}
