import { callFunction, type Queryable } from "./call-function.ts";

/** A row of the configuration: its table, its key as JSON, its value; null: it was removed. */
export type ConfigRow = readonly [table: string, key: string, value: unknown];

/** A run with its place. */
export interface LogRun {
  readonly place: number;
  /** The index of its first event. */
  readonly first: number;
  /** Events. */
  readonly n: number;
  /** The gateway's events: lines, compressed by zstd. */
  readonly lines: Uint8Array | null;
  /** The store's events, which follow. */
  readonly made: string | null;
  readonly operations: Uint8Array | null;
}

/** As `pg` reads it: 64-bit numbers are texts. */
interface StoredRun extends Omit<LogRun, "place" | "first"> {
  readonly place: string;
  readonly first: string;
}

export type ChangeReply =
  | { readonly outcome: "written"; readonly seq: number }
  | { readonly outcome: "behind"; readonly seq: number }
  | { readonly outcome: "fenced" };

export interface Changes {
  /** The newest change that the store has. */
  readonly seq: number;
  /** null: the next one is not kept any more. */
  readonly changes: readonly (readonly [seq: number, rows: readonly ConfigRow[]])[] | null;
}

interface StoredChanges {
  readonly seq: number;
  readonly changes: readonly (readonly [seq: number, ...StoredChange])[] | null;
}

/** Rows as the store has them. Values are JSON; null: the row was removed. */
type StoredChange = readonly [
  names: readonly string[],
  keys: readonly string[],
  values: readonly (string | null)[],
];

export interface LogHead {
  readonly runs: number;
  /** Events. */
  readonly size: number;
  /** Runs without a place wait. */
  readonly waiting: boolean;
}

export interface AboutStore {
  /** Gateways of older releases don't know what stands in the store. */
  readonly oldestRelease: string;
  /** The name of a log whose move into the database has begun and not ended; null: there is none. */
  readonly moving: string | null;
  /** The name under which the log goes on; null: no gateway was ever started. */
  readonly logName: string | null;
}

/** The shared store's functions for the gateways' copies (`migrations/3_replication.sql`). As `SharedFunctions`. */
export class Replication {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async logKey(name: string, privateKeyPem: string) {
    return (await callFunction(this.#database, "log_key", [name, privateKeyPem])) as {
      readonly name: string;
      readonly privateKeyPem: string;
    };
  }

  async change(
    gateway: number,
    basedOn: number,
    rows: readonly ConfigRow[],
    events: readonly string[],
  ): Promise<ChangeReply> {
    const values = [gateway, basedOn, ...columnsOf(rows), events];
    return (await callFunction(this.#database, "change_configuration", values)) as ChangeReply;
  }

  async changesAfter(seq: number, max: number): Promise<Changes> {
    const stored = await callFunction(this.#database, "changes_after", [seq, max]);
    const { seq: newest, changes } = stored as StoredChanges;
    return {
      seq: newest,
      changes: changes?.map(([at, ...rows]) => [at, rowsIn(rows)] as const) ?? null,
    };
  }

  async whole(): Promise<{ readonly seq: number; readonly rows: readonly ConfigRow[] }> {
    const stored = await callFunction(this.#database, "whole_configuration", []);
    const { seq, rows } = stored as {
      readonly seq: number;
      readonly rows: readonly (readonly [name: string, key: string, value: string])[];
    };
    return { seq, rows: rows.map(configRowIn) };
  }

  /** How many live gateways do not act on the change yet. */
  async gatewaysBehind(seq: number): Promise<number> {
    return Number(await callFunction(this.#database, "gateways_behind", [seq]));
  }

  async appendEvents(gateway: number, events: readonly string[]): Promise<boolean> {
    return Boolean(await callFunction(this.#database, "append_events", [gateway, events]));
  }

  async head(): Promise<LogHead> {
    return (await callFunction(this.#database, "log_head", [])) as LogHead;
  }

  /** What concerns the database as a whole. */
  async about(): Promise<AboutStore> {
    return (await callFunction(this.#database, "about_store", [])) as AboutStore;
  }

  /** Whether a crash of the server keeps what was committed. */
  async isDurable(): Promise<boolean> {
    return Boolean(await callFunction(this.#database, "is_durable", []));
  }

  /** At least one if there is one; else about `bytesMax` bytes. */
  async runsAfter(place: number, max: number, bytesMax: number): Promise<readonly LogRun[]> {
    const { rows } = await this.#database.query({
      name: "runs_after",
      text: "SELECT place, first, n, lines, made, operations FROM weir.runs_after($1, $2, $3)",
      values: [place, max, bytesMax],
    });
    // The function's columns.
    return (rows as readonly object[] as readonly StoredRun[]).map((row) => {
      return { ...row, place: Number(row.place), first: Number(row.first) };
    });
  }
}

/** Rows as the store takes them: their tables, keys and values, each in one array. */
export function columnsOf(rows: readonly ConfigRow[]): StoredChange {
  return [
    rows.map(([name]) => name),
    rows.map(([, key]) => key),
    rows.map(([, , value]) => (value === null ? null : JSON.stringify(value))),
  ];
}

function rowsIn([names, keys, values]: StoredChange): readonly ConfigRow[] {
  return names.map((name, i) => configRowIn([name, keys[i] ?? "", values[i] ?? null]));
}

function configRowIn([name, key, value]: readonly [string, string, string | null]): ConfigRow {
  return [name, key, value === null ? null : JSON.parse(value)];
}
