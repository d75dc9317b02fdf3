import type { ApiKey } from "../../../contract/identity.ts";
import type { Outcome } from "../../../contract/outcome.ts";
import type { Clock } from "../../../runtime/clock.ts";
import type { KeyDraft } from "./key-record.ts";
import type { KeyBackend } from "./key-snapshot.ts";
import type { KeyLastUse } from "../../keys/key-uses.ts";
import { LmdbKeys } from "./lmdb-keys.ts";
import type { PageQuery } from "../../page.ts";
import type { Store } from "../store.ts";
import type { Author } from "../store-draft.ts";

export interface NewKey {
  readonly draft: KeyDraft;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown once; only its digest is kept. */
  readonly secret: string;
}

export interface RotatedKey extends CreatedKey {
  /** ISO 8601: when the previous secret stops working. */
  readonly previousExpiresAt: string;
}

/** The members to change. An absent member stays as it is. */
export type KeyChange = Partial<
  Pick<
    ApiKey,
    | "name"
    | "rateLimit"
    | "allowedModels"
    | "securityPolicyId"
    | "team"
    | "responseCache"
    | "expiresAt"
  > & { readonly role: "admin" | "viewer" | "member" }
>;

export interface KeysQuery extends PageQuery {
  /** null: platform keys; absent: keys of all organizations, and platform keys. */
  readonly orgId?: string | null;
  /** Absent: false. */
  readonly newestFirst?: boolean;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** null: this was the last page. */
  readonly nextCursor: string | null;
}

/**
 * Service keys. The embedded store answers reads with plain values; another store may need promises.
 */
export interface Keys {
  /** False while `findBySecret` answers `auth_unavailable`. */
  readonly available: boolean;

  /**
   * The key with this secret, from memory (spec: Authentication 3). A change by this process is visible
   * before its answer. A change by another process is visible within twice `keySnapshotCheckMs`. The
   * key counts as used. Errors: `invalid_key` for an unknown, revoked or expired one;
   * `auth_unavailable` if the store can't be read and memory is older than `keySnapshotAgeMsMax`.
   */
  findBySecret(secret: string): Outcome<ApiKey>;

  /**
   * The same, for the SHA-256 of a secret in lower-case hex: whether a session's key still works. The key
   * counts as used.
   */
  findBySecretSha256(sha256: string): Outcome<ApiKey>;

  /** An active key that names this policy, from memory. Throws if no keys were loaded yet. */
  keyUnderPolicy(policyId: string): string | undefined;

  /**
   * Durable before its secret is returned. Errors: `not_found` if there is no such organization or it
   * has no such policy, `forbidden` at `keysMax` active keys, `internal_error` if the disk is full.
   */
  create(key: NewKey, author?: Author): Outcome<CreatedKey> | Promise<Outcome<CreatedKey>>;

  /**
   * In effect and durable when resolved. Errors: `not_found`, also for a policy of another
   * organization; `forbidden` for a revoked key, and if the last operator key that never expires would
   * expire; `internal_error` if the disk is full.
   */
  update(
    id: string,
    change: KeyChange,
    author?: Author,
  ): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /**
   * Gives a key another secret; id, limits and usage stay. The previous secret works for another
   * `graceSeconds` (0 to `keyGraceSecondsMax`), but never beyond the key's own expiry. The secret
   * before that stops working now. Durable before the secret is returned. Errors: `not_found`;
   * `forbidden` for a revoked key; `internal_error` if the disk is full.
   */
  rotate(
    id: string,
    graceSeconds: number,
    author?: Author,
  ): Outcome<RotatedKey> | Promise<Outcome<RotatedKey>>;

  /**
   * Revokes a key and both of its secrets for good. Revoking twice is no error. In effect and durable
   * when resolved. Errors: `not_found`, `forbidden` for the last operator key that never expires
   * (without it nobody could make another one), `internal_error` if the disk is full.
   */
  revoke(id: string, author?: Author): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Revoked keys too. Errors: `not_found`. */
  get(id: string): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Oldest first unless `newestFirst`, revoked keys too. */
  list(query: KeysQuery): Outcome<KeyPage> | Promise<Outcome<KeyPage>>;

  /** Takes over uses of keys from other threads. */
  noteUses(uses: readonly KeyLastUse[]): void;

  /** Writes the last uses of keys now; otherwise this happens every `keyUsesWriteMs`. */
  writeUses(): Promise<void>;

  /** Stops checking the store. */
  close(): void;
}

export interface KeysOptions {
  readonly clock?: Clock;
  readonly backend?: KeyBackend;
  /** Called whenever the snapshot can't be checked against the store, or uses can't be written. */
  readonly onCheckFailed: (error: unknown) => void;
}

/** Keys in LMDB. Never fails: until the store can be read, keys are `auth_unavailable`. */
export function openKeys(store: Store, options: KeysOptions): Keys {
  return new LmdbKeys(store, options);
}
