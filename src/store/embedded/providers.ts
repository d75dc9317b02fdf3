import type { ProviderEntry } from "../../contract/configuration-provider.ts";
import { refuse } from "../../contract/errors.ts";
import { providerAccountsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import { Mirror, type Checked } from "./mirror.ts";
import type { Store } from "./store.ts";
import type { Author, DraftTables } from "./store-draft.ts";
import type { ProviderRecord } from "./tables.ts";

/** An account that was made by the API, in the form of the configuration file. */
export type StoredProvider = Omit<ProviderRecord, "v">;

/**
 * Provider accounts made by the API. They name the environment variable of a secret and never store the
 * secret.
 */
export interface Providers extends Checked {
  /** From memory, in the order of their names. */
  all(): readonly StoredProvider[];

  /**
   * In effect and durable when resolved. Errors: `duplicate_entry` for a name that is in use,
   * `forbidden` at `providerAccountsMax`, `internal_error` if the disk is full.
   */
  create(
    entry: ProviderEntry,
    author?: Author,
  ): Outcome<StoredProvider> | Promise<Outcome<StoredProvider>>;

  /**
   * Reads, changes and writes in one step; `change` may refuse and keeps the name. In effect and durable
   * when resolved. Errors: `not_found`, `internal_error` if the disk is full.
   */
  update(
    name: string,
    change: (entry: ProviderEntry) => Outcome<ProviderEntry>,
    author?: Author,
  ): Outcome<StoredProvider> | Promise<Outcome<StoredProvider>>;

  /** Deletes for good; durable when resolved. Errors: `not_found`, `internal_error`. */
  remove(name: string, author?: Author): Outcome<null> | Promise<Outcome<null>>;
}

/**
 * `changed` is called for every change after the opening, before the write is durable. Throws if the
 * store can't be read.
 */
export function openProviders(
  store: Store,
  changed: () => void = () => undefined,
  clock: Clock = systemClock,
): Providers {
  return new LmdbProviders(store, changed, clock);
}

class LmdbProviders implements Providers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #mirror: Mirror<ProviderRecord>;
  #opened = false;

  constructor(store: Store, changed: () => void, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#mirror = new Mirror(store, store.tables.providers, "providersGeneration", {
      changed,
      loaded: () => {
        if (this.#opened) changed();
      },
    });
    this.#opened = true;
  }

  all(): readonly StoredProvider[] {
    return [...this.#mirror.values()].sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  }

  async create(entry: ProviderEntry, author?: Author): Promise<Outcome<StoredProvider>> {
    const wallMs = this.#clock.wallMs();
    const now = new Date(wallMs).toISOString();
    const record: ProviderRecord = { v: 1, entry, createdAt: now, updatedAt: now };
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        if (draft.tables.providers.doesExist(entry.name)) return nameTaken;
        if (this.#mirror.size >= providerAccountsMax) {
          return refuse("forbidden", `The API makes at most ${providerAccountsMax} accounts.`);
        }
        draft.note("provider.created", entry.name, null, wallMs);
        return accept(this.#mirror.put(providersIn(draft.tables), entry.name, record));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(record) : written;
  }

  async update(
    name: string,
    change: (entry: ProviderEntry) => Outcome<ProviderEntry>,
    author?: Author,
  ): Promise<Outcome<StoredProvider>> {
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        const before = draft.tables.providers.get(name);
        if (before === undefined) return noSuchProvider;
        const entry = change(before.entry);
        if (!entry.ok) return entry;
        const wallMs = this.#clock.wallMs();
        const updatedAt = new Date(wallMs).toISOString();
        const record: ProviderRecord = { ...before, entry: entry.value, updatedAt };
        draft.note("provider.updated", name, null, wallMs);
        return accept({ record, row: this.#mirror.put(providersIn(draft.tables), name, record) });
      },
      ({ row }) => this.#mirror.apply(row),
    );
    return written.ok ? accept(written.value.record) : written;
  }

  async remove(name: string, author?: Author): Promise<Outcome<null>> {
    const written = await this.#store.change(
      author ?? null,
      (draft) => {
        if (!draft.tables.providers.doesExist(name)) return noSuchProvider;
        draft.note("provider.deleted", name, null, this.#clock.wallMs());
        return accept(this.#mirror.remove(providersIn(draft.tables), name));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(null) : written;
  }

  check(): void {
    this.#mirror.check();
  }
}

function providersIn({ meta, providers }: DraftTables) {
  return { meta, rows: providers };
}

export const nameTaken = refuse("duplicate_entry", "Another account has this name.", {
  details: { param: "name" },
});
export const noSuchProvider = refuse("not_found", "There is no such provider account.");
