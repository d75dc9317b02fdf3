import type { ProviderEntry } from "../contract/configuration-provider.ts";
import { refuse } from "../contract/errors.ts";
import { providerAccountsMax } from "../contract/limits.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock, type Clock } from "./clock.ts";
import { Mirror, type Checked } from "./mirror.ts";
import type { Store } from "./store.ts";
import type { ProviderRecord } from "./tables.ts";

/** An account that the API made, as the configuration file would have it. */
export type StoredProvider = Omit<ProviderRecord, "v">;

/** Provider accounts made by the API. The secret is named by environment variable, never stored. */
export interface Providers extends Checked {
  /** From memory, in the order of their names. */
  all(): readonly StoredProvider[];

  /**
   * Takes effect at once, durable when resolved. Errors: `duplicate_entry` for a name that another
   * one has, `forbidden` at `providerAccountsMax`, `internal_error` where the disk is full.
   */
  create(entry: ProviderEntry): Outcome<StoredProvider> | Promise<Outcome<StoredProvider>>;

  /**
   * Reads, changes and writes in one step; `change` may refuse and keeps the name. Takes effect at
   * once, durable when resolved. Errors: `not_found`, `internal_error` where the disk is full.
   */
  update(
    name: string,
    change: (entry: ProviderEntry) => Outcome<ProviderEntry>,
  ): Outcome<StoredProvider> | Promise<Outcome<StoredProvider>>;

  /** For good; durable when resolved. Errors: `not_found`, `internal_error`. */
  remove(name: string): Outcome<null> | Promise<Outcome<null>>;
}

/**
 * `changed` hears of every change after the opening, before the write is durable. Throws where the
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

  async create(entry: ProviderEntry): Promise<Outcome<StoredProvider>> {
    const now = new Date(this.#clock.wallMs()).toISOString();
    const record: ProviderRecord = { v: 1, entry, createdAt: now, updatedAt: now };
    const written = await this.#store.write(
      () => {
        if (this.#store.tables.providers.doesExist(entry.name)) return nameTaken;
        if (this.#mirror.size >= providerAccountsMax) {
          return refuse("forbidden", `The API makes at most ${providerAccountsMax} accounts.`);
        }
        return accept(this.#mirror.put(entry.name, record));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(record) : written;
  }

  async update(
    name: string,
    change: (entry: ProviderEntry) => Outcome<ProviderEntry>,
  ): Promise<Outcome<StoredProvider>> {
    const written = await this.#store.write(
      () => {
        const before = this.#store.tables.providers.get(name);
        if (before === undefined) return noSuchProvider;
        const entry = change(before.entry);
        if (!entry.ok) return entry;
        const updatedAt = new Date(this.#clock.wallMs()).toISOString();
        const record: ProviderRecord = { ...before, entry: entry.value, updatedAt };
        return accept({ record, change: this.#mirror.put(name, record) });
      },
      ({ change: changed }) => this.#mirror.apply(changed),
    );
    return written.ok ? accept(written.value.record) : written;
  }

  async remove(name: string): Promise<Outcome<null>> {
    const written = await this.#store.write(
      () => {
        if (!this.#store.tables.providers.doesExist(name)) return noSuchProvider;
        return accept(this.#mirror.remove(name));
      },
      (change) => this.#mirror.apply(change),
    );
    return written.ok ? accept(null) : written;
  }

  check(): void {
    this.#mirror.check();
  }
}

export const nameTaken = refuse("duplicate_entry", "Another account has this name.", {
  details: { param: "name" },
});
export const noSuchProvider = refuse("not_found", "There is no such provider account.");
