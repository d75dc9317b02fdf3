import type { Outcome } from "../../contract/outcome.ts";
import type { Content } from "./content.ts";

/**
 * The readable content of requests, for as long as their organizations keep it (spec: Data retention). It is stored apart
 * from the audit log, so that it can be deleted. Content is not guaranteed: if more comes than can be written, it is
 * dropped and counted, and a crash loses what waited. It is a secret: no error and no log line tells anything of it.
 */
export interface Contents {
  /** Contents that were not kept, since the start. */
  readonly dropped: number;
  /** Bytes that wait to be written. */
  readonly pendingBytes: number;
  /** Costs the caller no write. */
  keep(orgId: string, requestId: string, content: Content): void;
  /** Keeps content that `packContent` has packed. The bytes may change when it returns. */
  keepPacked(packed: Buffer): void;
  /** null: there is no content, or it has expired. Errors: `internal_error` if the store can't be asked. */
  read(orgId: string, requestId: string): Promise<Outcome<Content | null>>;
  /**
   * Removes expired content, and returns how much. After a crash the next call continues. While one call runs, another
   * call waits for it. It is called in time by itself. Errors: `internal_error`.
   */
  reap(): Promise<Outcome<number>>;
  /** Resolves when all content up to now is written or dropped, or was tried to be. */
  flush(): Promise<void>;
  /** Writes what waits. Closing twice closes once. */
  close(): Promise<void>;
}

/** What a gateway's store of content is told of its organizations. */
export interface Retentions {
  /** Organizations with a retention of their own; all others have `retentionDaysDefault`. */
  readonly retentions: () => Iterable<Retention>;
  readonly retentionDays: (orgId: string) => number | null;
}

/** An organization that has days of its own. */
export type Retention = readonly [orgId: string, days: number];
