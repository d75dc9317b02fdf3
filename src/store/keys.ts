import { refuse } from "../contract/errors.ts";
import type { ApiKey } from "../contract/identity.ts";
import {
  keySnapshotCheckMs,
  keysMax,
  keyUsesPerWrite,
  keyUsesWriteMs,
} from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock, type Clock } from "./clock.ts";
import {
  keyRecord,
  newSecret,
  putKey,
  rotatedRecord,
  type KeyDraft,
  type KeyRecord,
} from "./key-record.ts";
import { KeySnapshot, type KeyBackend } from "./key-snapshot.ts";
import { KeyUses } from "./key-uses.ts";
import { lastId, pageOf, type PageQuery } from "./page.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

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
  /** ISO 8601: when the secret before stops to work. */
  readonly previousExpiresAt: string;
}

/** What is to be another; a member that is absent stays. */
export type KeyChange = Partial<
  Pick<
    ApiKey,
    "name" | "rateLimit" | "allowedModels" | "securityPolicyId" | "team" | "expiresAt"
  > & { readonly role: "admin" | "member" }
>;

export interface KeysQuery extends PageQuery {
  /** null: platform keys; absent: of all. */
  readonly orgId?: string | null;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** null: this was the last page. */
  readonly nextCursor: string | null;
}

/** Service keys. The embedded store answers reads with plain values, another may need promises. */
export interface Keys {
  /** False while `findBySecret` answers `auth_unavailable`. */
  readonly available: boolean;

  /**
   * The key with this secret, from memory (spec: Authentication 3). A change that this process made
   * is seen at once, another's within `keySnapshotCheckMs`. The key counts as used.
   * Errors: `invalid_key` for an unknown, revoked or expired one; `auth_unavailable` where the
   * store can't be read and memory is older than `keySnapshotAgeMsMax`.
   */
  findBySecret(secret: string): Outcome<ApiKey>;

  /**
   * Durable before its secret is told. Errors: `not_found` where there is no such organization or
   * it has no such policy, `forbidden` at `keysMax` active keys, `internal_error` where the disk is
   * full.
   */
  create(key: NewKey): Outcome<CreatedKey> | Promise<Outcome<CreatedKey>>;

  /**
   * Takes effect at once, durable when resolved. Errors: `not_found`, also for a policy that is not
   * the organization's; `forbidden` for a revoked key, and where the last operator key that never
   * expires would expire; `internal_error` where the disk is full.
   */
  update(id: string, change: KeyChange): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /**
   * Gives a key another secret; id, limits and usage stay. The secret before works `graceSeconds`
   * on (0 to `keyGraceSecondsMax`), never beyond the key's own expiry; the one before that dies now.
   * Durable before the secret is told. Errors: `not_found`; `forbidden` for a revoked key;
   * `internal_error` where the disk is full.
   */
  rotate(id: string, graceSeconds: number): Outcome<RotatedKey> | Promise<Outcome<RotatedKey>>;

  /**
   * For good, with both secrets; revoking twice is no error. Takes effect at once, durable when
   * resolved. Errors: `not_found`, `forbidden` for the last operator key that never expires (some
   * day nobody could make another), `internal_error` where the disk is full.
   */
  revoke(id: string): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Revoked keys too. Errors: `not_found`. */
  get(id: string): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Oldest first, revoked keys too. */
  list(query: KeysQuery): Outcome<KeyPage> | Promise<Outcome<KeyPage>>;

  /** Writes when keys were last used, which happens every `keyUsesWriteMs` anyway. */
  writeUses(): Promise<void>;

  /** Stops looking at the store. */
  close(): void;
}

export interface KeysOptions {
  readonly clock?: Clock;
  readonly backend?: KeyBackend;
  /** Told every time that the snapshot can't be checked against the store, or uses not written. */
  readonly onCheckFailed: (error: unknown) => void;
}

/** Keys in LMDB. Never fails: until the store can be read, keys are `auth_unavailable`. */
export function openKeys(store: Store, options: KeysOptions): Keys {
  return new LmdbKeys(store, options);
}

class LmdbKeys implements Keys {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #uses = new KeyUses();
  readonly #snapshot: KeySnapshot;
  readonly #onCheckFailed: (error: unknown) => void;
  readonly #checks: NodeJS.Timeout;
  readonly #usesWrites: NodeJS.Timeout;

  constructor(store: Store, options: KeysOptions) {
    this.#store = store;
    this.#clock = options.clock ?? systemClock;
    const backend = options.backend ?? lmdbBackend(store.tables);
    this.#snapshot = new KeySnapshot(backend, this.#clock, this.#uses);
    this.#onCheckFailed = options.onCheckFailed;
    this.#check();
    this.#checks = setInterval(() => this.#check(), keySnapshotCheckMs).unref();
    this.#usesWrites = setInterval(() => {
      this.writeUses().catch(this.#onCheckFailed);
    }, keyUsesWriteMs).unref();
  }

  get available(): boolean {
    return this.#snapshot.available;
  }

  findBySecret(secret: string): Outcome<ApiKey> {
    return this.#snapshot.find(secret);
  }

  async create({ draft, expiresAt }: NewKey): Promise<Outcome<CreatedKey>> {
    const { tables } = this.#store;
    const secret = newSecret();
    const record = keyRecord(draft, secret, expiresAt, this.#clock.wallMs());
    const written = await this.#store.write(
      () => {
        if (this.#snapshot.size >= keysMax) {
          return refuse("forbidden", `This gateway holds its ${keysMax} keys; revoke one first.`);
        }
        if (draft.orgId !== null && !tables.organizations.doesExist(draft.orgId)) {
          return refuse("not_found", "There is no such organization.", ofParam("orgId"));
        }
        if (!hasPolicy(tables, record.key)) return noSuchPolicy;
        return accept(putKey(tables, record));
      },
      (generation) => this.#snapshot.changed(record, generation),
    );
    return written.ok ? accept({ key: record.key, secret }) : written;
  }

  async update(id: string, change: KeyChange): Promise<Outcome<ApiKey>> {
    const changed = await this.#change(id, (record) => {
      if (record.key.status === "revoked") return revokedForGood;
      const updatedAt = new Date(this.#clock.wallMs()).toISOString();
      const key: ApiKey = { ...record.key, ...change, updatedAt };
      const ends = key.role === "operator" && key.expiresAt !== null;
      if (ends && !this.#hasOtherLastingOperator(id)) return lastOperator;
      return hasPolicy(this.#store.tables, key) ? accept({ ...record, key }) : noSuchPolicy;
    });
    return changed.ok ? accept(this.#shown(changed.value.key)) : changed;
  }

  async rotate(id: string, graceSeconds: number): Promise<Outcome<RotatedKey>> {
    const secret = newSecret();
    let previousExpiresAt = "";
    const changed = await this.#change(id, (record) => {
      const { status, expiresAt } = record.key;
      if (status === "revoked") return revokedForGood;
      const wallMs = this.#clock.wallMs();
      const keyEndsMs = expiresAt === null ? Infinity : Date.parse(expiresAt);
      const graceEndsMs = Math.min(keyEndsMs, wallMs + graceSeconds * 1000);
      previousExpiresAt = new Date(graceEndsMs).toISOString();
      return accept(rotatedRecord(record, secret, wallMs, graceEndsMs));
    });
    if (!changed.ok) return changed;
    return accept({ key: this.#shown(changed.value.key), secret, previousExpiresAt });
  }

  async revoke(id: string): Promise<Outcome<ApiKey>> {
    const changed = await this.#change(id, (record) => {
      const { status, role } = record.key;
      if (status === "revoked") return accept(record);
      if (role === "operator" && !this.#hasOtherLastingOperator(id)) return lastOperator;
      const updatedAt = new Date(this.#clock.wallMs()).toISOString();
      const key: ApiKey = { ...record.key, status: "revoked", updatedAt };
      return accept({ ...record, key, previous: null });
    });
    return changed.ok ? accept(this.#shown(changed.value.key)) : changed;
  }

  get(id: string): Outcome<ApiKey> {
    const record = this.#store.tables.keys.get(id);
    return record === undefined ? noSuchKey : accept(this.#shown(record.key));
  }

  list({ orgId, limit, cursor }: KeysQuery): Outcome<KeyPage> {
    const { keys, keysByOrg } = this.#store.tables;
    const org = orgId ?? "";
    const count = limit + 1;
    const ids =
      orgId === undefined
        ? Array.from(keys.getKeys({ start: cursor ?? "", exclusiveStart: true, limit: count }))
        : Array.from(
            keysByOrg.getKeys({
              start: [org, cursor ?? ""],
              exclusiveStart: true,
              end: [org, lastId],
              limit: count,
            }),
            ([, id]) => id,
          );
    const { items, nextCursor } = pageOf(ids, limit, (id) => keys.get(id)?.key);
    return accept({ keys: items.map((key) => this.#shown(key)), nextCursor });
  }

  async writeUses(): Promise<void> {
    const { keyUses } = this.#store.tables;
    for (;;) {
      const uses = this.#uses.take(keyUsesPerWrite);
      if (uses.length === 0) return;
      // A full disk loses when a key was last used, nothing else.
      await this.#store.write(() => {
        for (const { keyId, lastMs } of uses) keyUses.putSync(keyId, lastMs);
        return accept(null);
      });
    }
  }

  close(): void {
    clearInterval(this.#checks);
    clearInterval(this.#usesWrites);
  }

  /** Reads, changes and writes one key in one transaction. */
  #change(
    id: string,
    change: (record: KeyRecord) => Outcome<KeyRecord>,
  ): Promise<Outcome<KeyRecord>> {
    const { tables } = this.#store;
    let generation = 0;
    return this.#store.write(
      () => {
        const record = tables.keys.get(id);
        if (record === undefined) return noSuchKey;
        const changed = change(record);
        if (changed.ok) generation = putKey(tables, changed.value);
        return changed;
      },
      (record) => this.#snapshot.changed(record, generation),
    );
  }

  /** With the last use, from memory or, before the first one since the start, from the store. */
  #shown(key: ApiKey): ApiKey {
    const lastMs = this.#uses.lastMs(key.id) || (this.#store.tables.keyUses.get(key.id) ?? 0);
    return lastMs === 0 ? key : { ...key, lastUsedAt: new Date(lastMs).toISOString() };
  }

  /** Whether an operator key that never expires is left without this one. */
  #hasOtherLastingOperator(id: string): boolean {
    const { keys, keysByOrg } = this.#store.tables;
    for (const [, otherId] of keysByOrg.getKeys({ start: ["", ""], end: ["", lastId] })) {
      const other = otherId === id ? undefined : keys.get(otherId)?.key;
      if (other?.status === "active" && other.expiresAt === null) return true;
    }
    return false;
  }

  #check(): void {
    try {
      this.#snapshot.check();
    } catch (error) {
      this.#onCheckFailed(error);
    }
  }
}

function ofParam(param: string) {
  return { details: { param } };
}

const noSuchKey = refuse("not_found", "There is no such key.");
const noSuchPolicy = refuse(
  "not_found",
  "The organization has no such security policy.",
  ofParam("securityPolicyId"),
);
const revokedForGood = refuse("forbidden", "The key is revoked, and that is for good.");
const lastOperator = refuse(
  "forbidden",
  "This is the last operator key that never expires; make another one first.",
);

/** Whether the policy that a key names is one of its organization; naming none is fine. */
function hasPolicy({ policies }: Tables, { securityPolicyId, orgId }: ApiKey): boolean {
  return securityPolicyId === null || policies.get(securityPolicyId)?.policy.orgId === orgId;
}

function lmdbBackend({ meta, keys }: Tables): KeyBackend {
  const generation = () => meta.get("keysGeneration") ?? 0;
  return {
    generation,
    // One synchronous turn reads one state of LMDB.
    load: () => ({ generation: generation(), records: keys.getRange().map(({ value }) => value) }),
  };
}
