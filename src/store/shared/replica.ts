import { deserialize } from "node:v8";
import { zstdDecompressSync } from "node:zlib";
import { applyLines, type JournalOperation } from "../journal/batch.ts";
import type { LmdbJournalTables } from "../embedded/journal/journal-tables.ts";
import type { Transactions } from "../embedded/files/transactions.ts";
import { applyWrite, type RowChange } from "../embedded/store-draft.ts";
import type { Tables } from "../embedded/tables.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { ConfigRow, LogRun } from "./replication.ts";

/** Tables of the configuration that are a gateway's own, or stand elsewhere in the shared store. */
const ownTables: ReadonlySet<keyof Tables> = new Set(["auditKeys"]);
const ownMeta: ReadonlySet<unknown> = new Set(["schemaVersion"]);

/**
 * A gateway's copy of what stands in the shared store, in its own LMDB: the configuration, the log, and what the
 * operations of runs have made (docs/decisions/0060-the-shared-store.md). One thread writes it.
 */
export class Replica {
  readonly #tables: Tables;
  readonly #journal: LmdbJournalTables;
  readonly #write: Transactions;

  constructor(tables: Tables, journal: LmdbJournalTables, write: Transactions) {
    this.#tables = tables;
    this.#journal = journal;
    this.#write = write;
  }

  /** The place of the last run that it has; 0: none. */
  get runs(): number {
    return this.#journal.meta.get("journalBatch") ?? 0;
  }

  /** The changes of the configuration that it has. */
  get changes(): number {
    return this.#journal.meta.get("changeCount") ?? 0;
  }

  /** The events that it has. */
  get size(): number {
    return this.#journal.meta.get("eventCount") ?? 0;
  }

  /**
   * Writes runs that follow those that it has. Durable when resolved. Errors: as `Transactions`. Throws if they do not
   * follow.
   */
  applyRuns(runs: readonly LogRun[]): Promise<Outcome<null>> {
    return this.#write(() => {
      for (const run of runs) {
        if (run.place !== this.runs + 1 || (run.n > 0 && run.first !== this.size)) {
          throw new Error(`run ${run.place} of the log does not follow run ${this.runs}`);
        }
        const [lines, operations] = [linesOf(run), operationsOf(run)];
        if (lines.length !== run.n) throw new Error(`run ${run.place} of the log is damaged`);
        applyLines(this.#journal, { number: run.place, lines, operations });
      }
    });
  }

  /** Writes the change `seq`, which follows those that it has. Durable when resolved. Errors: as `Transactions`. */
  applyChange(seq: number, rows: readonly ConfigRow[]): Promise<Outcome<null>> {
    return this.#write(() => {
      if (seq !== this.changes + 1)
        throw new Error(`change ${seq} does not follow ${this.changes}`);
      this.#put(seq, rows.map(rowChangeOf));
    });
  }

  /** The changes that make it this configuration; see `applyWhole`. */
  differenceTo(rows: readonly ConfigRow[]): readonly RowChange[] {
    const wanted = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
    const changes: RowChange[] = [];
    for (const { table, key, value } of configurationIn(this.#tables)) {
      const place = `${table} ${JSON.stringify(key)}`;
      const row = wanted.get(place);
      if (row === undefined) changes.push({ table, key, value: undefined });
      else if (JSON.stringify(value) === JSON.stringify(row[2])) wanted.delete(place);
    }
    changes.push(...Array.from(wanted.values(), rowChangeOf));
    return changes;
  }

  /** Writes what `differenceTo` has returned, as of the change `seq`. Durable when resolved. */
  applyWhole(seq: number, changes: readonly RowChange[]): Promise<Outcome<null>> {
    return this.#write(() => this.#put(seq, changes));
  }

  #put(seq: number, rows: readonly RowChange[]): void {
    applyWrite(this.#tables, this.#journal, { rows, events: [] });
    this.#journal.meta.putSync("changeCount", seq);
  }
}

/** All rows of a configuration. */
export function* configurationIn(tables: Tables): Generator<RowChange> {
  for (const table of Object.keys(tables) as (keyof Tables)[]) {
    if (ownTables.has(table)) continue;
    for (const { key, value } of tables[table].getRange()) {
      if (table === "meta" && ownMeta.has(key)) continue;
      yield { table, key, value };
    }
  }
}

/** A row as the shared store has it. */
export function configRowOf({ table, key, value }: RowChange): ConfigRow {
  return [table, JSON.stringify(key), value ?? null];
}

export function rowChangeOf([table, key, value]: ConfigRow): RowChange {
  // `configRowOf` wrote it, perhaps in another release of the same schema.
  return {
    table: table as keyof Tables,
    key: JSON.parse(key) as RowChange["key"],
    value: value ?? undefined,
  };
}

function linesOf({ lines, made }: LogRun): string[] {
  const told = lines === null ? [] : zstdDecompressSync(lines).toString().split("\n");
  return made === null ? told : [...told, ...made.split("\n")];
}

function operationsOf({ operations }: LogRun): readonly JournalOperation[] {
  // `encodedOperations` wrote it.
  return operations === null ? [] : (deserialize(operations) as readonly JournalOperation[]);
}
