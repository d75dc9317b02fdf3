import type { Database, Key } from "lmdb";
import { canonicalEvent, type AuditEventType } from "../../contract/audit.ts";
import { appendEvents } from "../journal/batch.ts";
import type { LmdbJournalTables } from "./journal/journal-tables.ts";
import type { Tables } from "./tables.ts";

/** Who makes a change, for its audit event. */
export interface Author {
  /** The id of the request that asks for the change. */
  readonly requestId: string;
  readonly keyId: string;
}

/** The changes that operators and admins make (design section 7, "Audit event types"). */
export type ManagedEventType = Extract<
  AuditEventType,
  `${"key" | "usage_limit" | "organization" | "provider" | "policy" | "session"}.${string}`
>;

/** The new value of a row; `value` undefined: the row is removed. */
export interface RowChange {
  readonly table: keyof Tables;
  readonly key: Key;
  readonly value: unknown;
}

const messages: Partial<Record<ManagedEventType, string>> = {
  "session.opened": "Somebody signed in to the dashboard.",
  "session.closed": "Somebody signed out of the dashboard.",
};

/** The writes of one transaction, all or nothing. */
export interface StoreWrite {
  readonly rows: readonly RowChange[];
  /** Canonical audit events. */
  readonly events: readonly string[];
}

/** The operations of a change on a table. */
export interface DraftRows<K, V> {
  get(key: K): V | undefined;
  doesExist(key: K): boolean;
  putSync(key: K, value: V): unknown;
  removeSync(key: K): unknown;
}

type DraftOf<T> = T extends Database<infer V, infer K> ? DraftRows<K, V> : never;
/** The tables as a change sees them: the store's content plus the change's own writes. */
export type DraftTables = { readonly [Name in keyof Tables]: DraftOf<Tables[Name]> };

/** The changes of one table that are not written yet. */
class TableDraft<K extends Key, V> implements DraftRows<K, V> {
  readonly #name: keyof Tables;
  readonly #table: Database<V, K>;
  readonly #changes: Map<string, RowChange>;

  constructor(name: keyof Tables, table: Database<V, K>, changes: Map<string, RowChange>) {
    this.#name = name;
    this.#table = table;
    this.#changes = changes;
  }

  get(key: K): V | undefined {
    const changed = this.#changes.get(this.#placeOf(key));
    // Only `putSync` of this very table sets it.
    return changed === undefined ? this.#table.get(key) : (changed.value as V | undefined);
  }

  doesExist(key: K): boolean {
    return this.get(key) !== undefined;
  }

  putSync(key: K, value: V): void {
    this.#changes.set(this.#placeOf(key), { table: this.#name, key, value });
  }

  removeSync(key: K): void {
    this.#changes.set(this.#placeOf(key), { table: this.#name, key, value: undefined });
  }

  #placeOf(key: K): string {
    return `${this.#name} ${JSON.stringify(key)}`;
  }
}

/**
 * A change of the store while it is prepared: it reads the store and its own writes, and writes nothing
 * yet. The writing thread applies the result in one transaction.
 */
export class StoreDraft {
  readonly tables: DraftTables;
  readonly #changes = new Map<string, RowChange>();
  readonly #events: string[] = [];
  readonly #author: Author | null;

  constructor(tables: Tables, author: Author | null) {
    const draft = <K extends Key, V>(name: keyof Tables, table: Database<V, K>) =>
      new TableDraft(name, table, this.#changes);
    this.#author = author;
    this.tables = {
      meta: draft("meta", tables.meta),
      keys: draft("keys", tables.keys),
      keysByOrg: draft("keysByOrg", tables.keysByOrg),
      keyUses: draft("keyUses", tables.keyUses),
      organizations: draft("organizations", tables.organizations),
      usageLimits: draft("usageLimits", tables.usageLimits),
      policies: draft("policies", tables.policies),
      providers: draft("providers", tables.providers),
      byOrg: draft("byOrg", tables.byOrg),
      names: draft("names", tables.names),
      unshownKeys: draft("unshownKeys", tables.unshownKeys),
      auditKeys: draft("auditKeys", tables.auditKeys),
      sessions: draft("sessions", tables.sessions),
    };
  }

  /**
   * The change's audit event, written with it. `orgId` null: the change of a platform key or a provider
   * account.
   */
  note(type: ManagedEventType, id: string, orgId: string | null, wallMs: number): void {
    if (this.#author === null) return;
    const { requestId, keyId } = this.#author;
    const message = messages[type] ?? "The keys API changed something.";
    const data = { id, request_id: requestId, by_key_id: keyId };
    const event = { eventType: type, message, orgId, requestId, data };
    this.#events.push(canonicalEvent(event, new Date(wallMs).toISOString()));
  }

  /** The rows to write, each once. */
  toWrite(): StoreWrite {
    return { rows: [...this.#changes.values()], events: this.#events };
  }
}

/** Writes a draft's result; call it inside a transaction. */
export function applyWrite(
  tables: Tables,
  journal: Pick<LmdbJournalTables, "meta" | "events" | "eventTimes" | "tiles">,
  { rows, events }: StoreWrite,
): void {
  for (const { table, key, value } of rows) {
    const written: Pick<DraftRows<Key, unknown>, "putSync" | "removeSync"> = tables[table];
    if (value === undefined) written.removeSync(key);
    else written.putSync(key, value);
  }
  if (events.length > 0) appendEvents(journal, events);
}
