import type { Database } from "lmdb";
import { StalenessCheck } from "../staleness.ts";
import type { Store } from "./store.ts";
import type { DraftRows, DraftTables } from "./store-draft.ts";
import type { Generation, Tables } from "./tables.ts";

/** Called for changes in a mirror; not called for records that stay the same. */
export interface MirrorListener<R> {
  /** `record` undefined: it was deleted. `before` undefined: it is new. */
  changed(id: string, record: R | undefined, before: R | undefined): void;
  /** The table was loaded again, so every record may have changed. */
  loaded(records: ReadonlyMap<string, R>): void;
}

/** A change that is being written; pass it to `apply` once it is committed. */
export interface MirrorChange<R> {
  readonly id: string;
  readonly record: R | undefined;
  readonly generation: number;
}

/** The mirrored table and the generations, in the draft of a change. */
export interface MirroredDraft<R> {
  readonly meta: DraftTables["meta"];
  readonly rows: DraftRows<string, R>;
}

/** A copy that `keepCurrent` checks. */
export interface Checked {
  /**
   * Loads a copy again if it was behind at the last check and still is. Throws if the store can't be
   * read.
   */
  check(): void;
}

/**
 * A table in memory, so that requests read it without LMDB. Changes of this process are visible as soon
 * as they are committed, and in its other threads before they are answered. Changes of another process
 * are visible after the second `check`.
 */
export class Mirror<R> implements Checked {
  readonly #meta: Tables["meta"];
  readonly #table: Database<R, string>;
  readonly #generationName: Generation;
  readonly #listener: MirrorListener<R> | null;
  readonly #changes: Store["changes"];
  readonly #lag = new StalenessCheck();
  #records = new Map<string, R>();
  /** -1: nothing was loaded yet. */
  #generation = -1;

  /** Loads the table. Throws if the store can't be read. */
  constructor(
    { tables, changes }: Pick<Store, "tables" | "changes">,
    table: Database<R, string>,
    generationName: Generation,
    listener: MirrorListener<R> | null = null,
  ) {
    this.#meta = tables.meta;
    this.#changes = changes;
    this.#table = table;
    this.#generationName = generationName;
    this.#listener = listener;
    // The message about a table's mirror came from a mirror of the same table.
    changes.keeps(generationName, (change) => this.#takeIn(change as MirrorChange<R>));
    this.check();
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  values(): Iterable<R> {
    return this.#records.values();
  }

  /** Puts a row into the draft of a change. */
  put({ meta, rows }: MirroredDraft<R>, id: string, record: R): MirrorChange<R> {
    rows.putSync(id, record);
    return { id, record, generation: this.#grow(meta) };
  }

  /** Removes a row in the draft of a change. */
  remove({ meta, rows }: MirroredDraft<R>, id: string): MirrorChange<R> {
    rows.removeSync(id);
    return { id, record: undefined, generation: this.#grow(meta) };
  }

  /** Takes over a committed change. Call it in the order of the commits. */
  apply(change: MirrorChange<R>): void {
    this.#takeIn(change);
    this.#changes.tell(this.#generationName, change);
  }

  check(): void {
    const generation = this.#meta.get(this.#generationName) ?? 0;
    // A read in this turn may be older than a message of another thread in the same turn.
    if (this.#generation >= 0 && !this.#lag.persists(this.#generation, generation)) return;
    // All reads of one synchronous turn see the same state of LMDB.
    this.#records = new Map(this.#table.getRange().map(({ key, value }) => [key, value] as const));
    this.#generation = generation;
    this.#listener?.loaded(this.#records);
  }

  #takeIn({ id, record, generation }: MirrorChange<R>): void {
    const before = this.#records.get(id);
    if (record === undefined) this.#records.delete(id);
    else this.#records.set(id, record);
    // If others wrote in between, the next checks find another generation and load everything.
    if (generation === this.#generation + 1) this.#generation = generation;
    this.#listener?.changed(id, record, before);
  }

  #grow(meta: DraftTables["meta"]): number {
    const generation = (meta.get(this.#generationName) ?? 0) + 1;
    meta.putSync(this.#generationName, generation);
    return generation;
  }
}

/** Checks all mirrors every `intervalMs`, until the returned function is called. */
export function keepCurrent(
  mirrors: readonly Checked[],
  intervalMs: number,
  onCheckFailed: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    for (const mirror of mirrors) {
      try {
        mirror.check();
      } catch (error) {
        onCheckFailed(error);
      }
    }
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
