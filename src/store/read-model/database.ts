import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBValue,
} from "@duckdb/node-api";
import {
  recordsChunkRows,
  recordsMemoryMegabytes,
  recordsSpillMegabytesMax,
} from "../../contract/limits.ts";
import type { OtherRow, RecordRow } from "./record-row.ts";
import { otherColumns, readModelForm, recordColumns, schema } from "./tables.ts";

/** How far the tables have followed the log. */
export interface Progress {
  /** The log's events below are in the tables. */
  readonly next: number;
  /** SHA-256 of the last of them; "" if there is none. */
  readonly last: string;
}

/** Rows that are appended together. */
export interface ResultRows {
  readonly records: readonly RecordRow[];
  readonly others: readonly OtherRow[];
}

const fileName = "records.duckdb";
const spillName = "spill";

/** The read model's file. Everything in it can be made again from the log. */
export class RecordsDatabase {
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  progress: Progress;

  private constructor(instance: DuckDBInstance, writer: DuckDBConnection, progress: Progress) {
    this.#instance = instance;
    this.#writer = writer;
    this.progress = progress;
  }

  /**
   * Opens the file in a directory of its own, or makes both. Throws if it is damaged, and if its form is another
   * one.
   */
  static async open(directory: string): Promise<RecordsDatabase> {
    const spill = join(directory, spillName);
    rmSync(spill, { recursive: true, force: true });
    mkdirSync(spill, { recursive: true, mode: 0o700 });
    // The database makes its files readable by all.
    chmodSync(directory, 0o700);
    const instance = await DuckDBInstance.create(join(directory, fileName), configuration(spill));
    try {
      const writer = await instance.connect();
      const tables = await writer.runAndReadAll("SELECT table_name FROM duckdb_tables()");
      if (tables.currentRowCount === 0) await inTransaction(writer, () => runAll(writer, schema));
      return new RecordsDatabase(instance, writer, await progressIn(writer));
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  /** Removes the file and what is beside it of its own. */
  static remove(directory: string): void {
    for (const name of [fileName, `${fileName}.wal`, spillName]) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }

  /** A connection for questions. Close it with `closeSync`. */
  connect(): Promise<DuckDBConnection> {
    return this.#instance.connect();
  }

  /** Appends rows and moves the progress, all or nothing; durable when resolved. */
  async append({ records, others }: ResultRows, progress: Progress): Promise<void> {
    const writer = this.#writer;
    await inTransaction(writer, async () => {
      await appendRows(writer, "records", recordColumns, records);
      await appendRows(writer, "others", otherColumns, others);
      await writer.run("UPDATE progress SET next = $1, last = $2", [
        BigInt(progress.next),
        progress.last,
      ]);
    });
    this.progress = progress;
  }

  /** Closes all connections too. */
  close(): void {
    this.#writer.closeSync();
    this.#instance.closeSync();
  }
}

/**
 * No file but its own is read or written, no extension is loaded from anywhere, nothing of this can be changed
 * later, and memory, threads and spill have bounds.
 */
function configuration(spill: string): Record<string, string> {
  return {
    threads: "1",
    memory_limit: `${recordsMemoryMegabytes}MiB`,
    temp_directory: spill,
    max_temp_directory_size: `${recordsSpillMegabytesMax}MiB`,
    enable_external_access: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    allow_unsigned_extensions: "false",
    // Nothing but this release reads the file, and its own compression of texts is read three times as fast.
    storage_compatibility_version: "latest",
    lock_configuration: "true",
  };
}

async function inTransaction(to: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await to.run("BEGIN TRANSACTION");
  try {
    await work();
  } catch (error) {
    // The error tells more than that of a rollback after it.
    await to.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
  await to.run("COMMIT");
}

async function runAll(to: DuckDBConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await to.run(statement);
}

async function progressIn(connection: DuckDBConnection): Promise<Progress> {
  const read = await connection.runAndReadAll("SELECT form, next, last FROM progress");
  const [[form, next, last] = []] = read.getRowsJS();
  if (form !== readModelForm || typeof next !== "bigint" || typeof last !== "string") {
    throw new Error("the file has another form");
  }
  return { next: Number(next), last };
}

interface AppendedColumn<R> {
  readonly type: Parameters<typeof DuckDBDataChunk.create>[0][number];
  readonly of: (row: R) => DuckDBValue;
}

async function appendRows<R>(
  to: DuckDBConnection,
  table: string,
  columns: readonly AppendedColumn<R>[],
  rows: readonly R[],
): Promise<void> {
  if (rows.length === 0) return;
  const appender: DuckDBAppender = await to.createAppender(table);
  const types = columns.map(({ type }) => type);
  for (let at = 0; at < rows.length; at += recordsChunkRows) {
    const part = rows.slice(at, at + recordsChunkRows);
    const chunk = DuckDBDataChunk.create(types, part.length);
    chunk.setColumns(columns.map(({ of }) => part.map(of)));
    appender.appendDataChunk(chunk);
  }
  appender.flushSync();
  appender.closeSync();
}
