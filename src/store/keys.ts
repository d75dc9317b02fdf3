import { refuse } from "../contract/errors.ts";
import type { ApiKey } from "../contract/identity.ts";
import { keySnapshotCheckMs, keysMax, keysPageMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock, type Clock } from "./clock.ts";
import { keyRecord, newSecret, putKey, type KeyDraft, type KeyRecord } from "./key-record.ts";
import { KeySnapshot, type KeyBackend } from "./key-snapshot.ts";
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

export interface KeysQuery {
  /** null: platform keys. */
  readonly orgId: string | null;
  /** 1 to `keysPageMax`. */
  readonly limit: number;
  /** A page's `nextCursor`; null: from the oldest. */
  readonly cursor: string | null;
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
   * is seen at once, another's within `keySnapshotCheckMs`.
   * Errors: `invalid_key` for an unknown, revoked or expired one; `auth_unavailable` where the
   * store can't be read and memory is older than `keySnapshotAgeMsMax`.
   */
  findBySecret(secret: string): Outcome<ApiKey>;

  /**
   * Durable before its secret is told. Errors: `not_found` where there is no such organization,
   * `forbidden` at `keysMax` active keys, `internal_error` where the disk is full.
   */
  create(key: NewKey): Outcome<CreatedKey> | Promise<Outcome<CreatedKey>>;

  /**
   * For good; revoking twice is no error. Takes effect at once, durable when resolved.
   * Errors: `not_found`, `internal_error` where the disk is full.
   */
  revoke(id: string): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Revoked keys too. Errors: `not_found`. */
  get(id: string): Outcome<ApiKey> | Promise<Outcome<ApiKey>>;

  /** Oldest first, revoked keys too. */
  list(query: KeysQuery): Outcome<KeyPage> | Promise<Outcome<KeyPage>>;

  /** Stops looking at the store. */
  close(): void;
}

export interface KeysOptions {
  readonly clock?: Clock;
  readonly backend?: KeyBackend;
  /** Told every time that the snapshot can't be checked against the store. */
  readonly onCheckFailed: (error: unknown) => void;
}

/** Keys in LMDB. Never fails: until the store can be read, keys are `auth_unavailable`. */
export function openKeys(store: Store, options: KeysOptions): Keys {
  return new LmdbKeys(store, options);
}

class LmdbKeys implements Keys {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #snapshot: KeySnapshot;
  readonly #onCheckFailed: (error: unknown) => void;
  readonly #checks: NodeJS.Timeout;

  constructor(store: Store, options: KeysOptions) {
    this.#store = store;
    this.#clock = options.clock ?? systemClock;
    this.#snapshot = new KeySnapshot(options.backend ?? lmdbBackend(store.tables), this.#clock);
    this.#onCheckFailed = options.onCheckFailed;
    this.#check();
    this.#checks = setInterval(() => this.#check(), keySnapshotCheckMs).unref();
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
          return refuse("not_found", "There is no such organization.");
        }
        return accept(putKey(tables, record));
      },
      (generation) => this.#snapshot.changed(record, generation),
    );
    return written.ok ? accept({ key: record.key, secret }) : written;
  }

  async revoke(id: string): Promise<Outcome<ApiKey>> {
    const { tables } = this.#store;
    const written = await this.#store.write(
      () => {
        const record = tables.keys.get(id);
        if (record === undefined) return noSuchKey;
        const revoked: KeyRecord = { ...record, key: { ...record.key, status: "revoked" } };
        return accept({ revoked, generation: putKey(tables, revoked) });
      },
      ({ revoked, generation }) => this.#snapshot.changed(revoked, generation),
    );
    return written.ok ? accept(written.value.revoked.key) : written;
  }

  get(id: string): Outcome<ApiKey> {
    const record = this.#store.tables.keys.get(id);
    return record === undefined ? noSuchKey : accept(record.key);
  }

  list({ orgId, limit, cursor }: KeysQuery): Outcome<KeyPage> {
    const { keys, keysByOrg } = this.#store.tables;
    const org = orgId ?? "";
    const count = Math.min(limit, keysPageMax);
    const range = keysByOrg.getKeys({
      start: [org, cursor ?? ""],
      exclusiveStart: true,
      // Ids are ASCII.
      end: [org, "\uffff"],
      limit: count + 1,
    });
    const ids = Array.from(range, ([, id]) => id);
    const page = ids.slice(0, count);
    return accept({
      keys: page.flatMap((id) => keys.get(id)?.key ?? []),
      nextCursor: ids.length > count ? (page.at(-1) ?? null) : null,
    });
  }

  close(): void {
    clearInterval(this.#checks);
  }

  #check(): void {
    try {
      this.#snapshot.check();
    } catch (error) {
      this.#onCheckFailed(error);
    }
  }
}

const noSuchKey = refuse("not_found", "There is no such key.");

function lmdbBackend({ meta, keys }: Tables): KeyBackend {
  const generation = () => meta.get("keysGeneration") ?? 0;
  return {
    generation,
    // One synchronous turn reads one state of LMDB.
    load: () => ({ generation: generation(), records: keys.getRange().map(({ value }) => value) }),
  };
}
