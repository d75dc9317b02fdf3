import { refuse } from "../../../contract/errors.ts";
import type { ApiKey } from "../../../contract/identity.ts";
import {
  keySnapshotCheckMs,
  keysMax,
  keyUsesPerWrite,
  keyUsesWriteMs,
} from "../../../contract/limits.ts";
import { accept, type Outcome } from "../../../contract/outcome.ts";
import { systemClock, type Clock } from "../../../runtime/clock.ts";
import { keyRecord, newSecret, putKey, rotatedRecord, type KeyRecord } from "./key-record.ts";
import { KeySnapshot, type KeyBackend, type KeySnapshotChange } from "./key-snapshot.ts";
import { KeyUses, type KeyLastUse } from "../../keys/key-uses.ts";
import type {
  CreatedKey,
  KeyChange,
  KeyPage,
  Keys,
  KeysOptions,
  KeysQuery,
  NewKey,
  RotatedKey,
} from "./keys.ts";
import { lastId, pageOf } from "../../page.ts";
import type { Store } from "../store.ts";
import type { Author, DraftTables, ManagedEventType } from "../store-draft.ts";
import type { Tables } from "../tables.ts";

/** Keys in LMDB; working keys are also in memory. `Keys` has the guarantees of each method. */
export class LmdbKeys implements Keys {
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
    // The message came from keys of the same table.
    store.changes.keeps("keysGeneration", (change) => {
      const { record, generation } = change as KeySnapshotChange;
      this.#snapshot.changed(record, generation);
    });
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

  findBySecretSha256(sha256: string): Outcome<ApiKey> {
    return this.#snapshot.findDigest(Buffer.from(sha256, "hex").toString("latin1"));
  }

  keyUnderPolicy(policyId: string): string | undefined {
    return this.#snapshot.keyUnderPolicy(policyId);
  }

  async create({ draft, expiresAt }: NewKey, author?: Author): Promise<Outcome<CreatedKey>> {
    const secret = newSecret();
    const wallMs = this.#clock.wallMs();
    const record = keyRecord(draft, secret, expiresAt, wallMs);
    const { id, orgId } = record.key;
    const written = await this.#store.change(
      author ?? null,
      (change) => {
        const { tables } = change;
        if (this.#snapshot.size >= keysMax) {
          return refuse("forbidden", `This gateway holds its ${keysMax} keys; revoke one first.`);
        }
        if (orgId !== null && !tables.organizations.doesExist(orgId)) {
          return refuse("not_found", "There is no such organization.", ofParam("orgId"));
        }
        if (!hasPolicy(tables, record.key)) return noSuchPolicy;
        change.note("key.created", id, orgId, wallMs);
        return accept(putKey(tables, record));
      },
      (generation) => this.#changed(record, generation),
    );
    return written.ok ? accept({ key: record.key, secret }) : written;
  }

  async update(id: string, change: KeyChange, author?: Author): Promise<Outcome<ApiKey>> {
    const by = { author, event: "key.updated" } as const;
    const changed = await this.#change(id, by, (record, tables) => {
      if (record.key.status === "revoked") return revokedForGood;
      const updatedAt = new Date(this.#clock.wallMs()).toISOString();
      const key: ApiKey = { ...record.key, ...change, updatedAt };
      const ends = key.role === "operator" && key.expiresAt !== null;
      if (ends && !this.#hasOtherLastingOperator(id)) return lastOperator;
      return hasPolicy(tables, key) ? accept({ ...record, key }) : noSuchPolicy;
    });
    return changed.ok ? accept(this.#shown(changed.value.key)) : changed;
  }

  async rotate(id: string, graceSeconds: number, author?: Author): Promise<Outcome<RotatedKey>> {
    const secret = newSecret();
    let previousExpiresAt = "";
    const by = { author, event: "key.rotated" } as const;
    const changed = await this.#change(id, by, (record) => {
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

  async revoke(id: string, author?: Author): Promise<Outcome<ApiKey>> {
    const by = { author, event: "key.revoked" } as const;
    const changed = await this.#change(id, by, (record) => {
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

  list({ orgId, limit, cursor, newestFirst = false }: KeysQuery): Outcome<KeyPage> {
    const { keys, keysByOrg } = this.#store.tables;
    const org = orgId ?? "";
    const [before, end] = newestFirst ? [lastId, ""] : ["", lastId];
    const start = cursor ?? before;
    const range = { exclusiveStart: true, limit: limit + 1, reverse: newestFirst };
    const ids =
      orgId === undefined
        ? Array.from(keys.getKeys({ ...range, start }))
        : Array.from(
            keysByOrg.getKeys({ ...range, start: [org, start], end: [org, end] }),
            ([, id]) => id,
          );
    const { items, nextCursor } = pageOf(ids, limit, (id) => keys.get(id)?.key);
    return accept({ keys: items.map((key) => this.#shown(key)), nextCursor });
  }

  async writeUses(): Promise<void> {
    for (;;) {
      const uses = this.#uses.take(keyUsesPerWrite);
      if (uses.length === 0) return;
      const written = await this.#store.change(null, ({ tables: { keyUses } }) => {
        for (const { keyId, lastMs } of uses) keyUses.putSync(keyId, lastMs);
        return accept(null);
      });
      if (!written.ok) {
        this.noteUses(uses);
        return;
      }
    }
  }

  noteUses(uses: readonly KeyLastUse[]): void {
    for (const use of uses) this.#uses.noteOf(use);
  }

  close(): void {
    clearInterval(this.#checks);
    clearInterval(this.#usesWrites);
  }

  /** Reads, changes and writes one key in one transaction. An unchanged record gets no event. */
  #change(
    id: string,
    by: { readonly author: Author | undefined; readonly event: ManagedEventType },
    change: (record: KeyRecord, tables: DraftTables) => Outcome<KeyRecord>,
  ): Promise<Outcome<KeyRecord>> {
    let generation = 0;
    return this.#store.change(
      by.author ?? null,
      (draft) => {
        const { tables } = draft;
        const record = tables.keys.get(id);
        if (record === undefined) return noSuchKey;
        const changed = change(record, tables);
        if (!changed.ok) return changed;
        if (changed.value !== record) {
          draft.note(by.event, id, record.key.orgId, this.#clock.wallMs());
        }
        generation = putKey(tables, changed.value);
        return changed;
      },
      (record) => this.#changed(record, generation),
    );
  }

  #changed(record: KeyRecord, generation: number): void {
    this.#snapshot.changed(record, generation);
    const change: KeySnapshotChange = { record, generation };
    this.#store.changes.tell("keysGeneration", change);
  }

  /**
   * The key with its last use, from memory or, if there was no use since the start, from the store.
   */
  #shown(key: ApiKey): ApiKey {
    const lastMs = this.#uses.lastMs(key.id) || (this.#store.tables.keyUses.get(key.id) ?? 0);
    return lastMs === 0 ? key : { ...key, lastUsedAt: new Date(lastMs).toISOString() };
  }

  /** Whether there is another operator key that never expires. */
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

/** Whether the policy of a key belongs to its organization; true for no policy. */
function hasPolicy({ policies }: DraftTables, { securityPolicyId, orgId }: ApiKey): boolean {
  return securityPolicyId === null || policies.get(securityPolicyId)?.policy.orgId === orgId;
}

export function lmdbBackend({ meta, keys }: Tables): KeyBackend {
  const generation = () => meta.get("keysGeneration") ?? 0;
  return {
    generation,
    // All reads of one synchronous turn see the same state of LMDB.
    load: () => ({ generation: generation(), records: keys.getRange().map(({ value }) => value) }),
  };
}
