import type { Client } from "pg";
import { movedProgressMs } from "../../contract/limits.ts";
import { rootOf } from "../audit/merkle-tree.ts";
import { noteSigner } from "../audit/signed-note.ts";
import { markAsMoved } from "../embedded/files/moved-mark.ts";
import { countOf } from "../embedded/files/pages.ts";
import type { Tables } from "../embedded/tables.ts";
import { booksIn, moveBooks, moveConfiguration } from "./move-books.ts";
import { moveContent } from "./move-content.ts";
import { moveUsage, type NamedWindow } from "./move-limits.ts";
import { moveLog, rootsIn, type MoveProgress } from "./move-log.ts";
import { openMoveSource, type MoveSource } from "./move-source.ts";
import { asOperator, inTransaction, lockOutGateways } from "./operator-connection.ts";
import { Replication } from "./replication.ts";

export interface MoveOptions {
  /** Of the database. */
  readonly url: string;
  readonly dataDir: string;
  /** The windows of usage limits and budgets that a configuration may have. */
  readonly windowsOf: (tables: Tables) => Iterable<NamedWindow>;
  /** Told what is being done, a line each. */
  readonly log: (line: string) => void;
}

/** The same in the directory and in the database. */
export type Compared = readonly [what: string, value: string];

export interface Moved {
  /** False: an earlier move has done it. */
  readonly isNew: boolean;
  readonly logName: string;
  readonly compared: readonly Compared[];
}

/**
 * Moves everything that a gateway's data directory has into an empty database, with the log's name and key. Everything is
 * written in one transaction, after a mark that keeps gateways from starting on the database until that is committed.
 * So a move that is broken off leaves a database that is empty but for the mark, and may be repeated. The directory
 * stays as it is, and is marked as moved. Throws with a reason that a person can act on.
 */
export async function moveToPostgres(options: MoveOptions): Promise<Moved> {
  return asOperator(options.url, async (client) => {
    const source = await openMoveSource(options.dataDir);
    try {
      return await move(client, source, options);
    } finally {
      await source.close();
    }
  });
}

async function move(client: Client, source: MoveSource, options: MoveOptions): Promise<Moved> {
  const { name: logName, privateKeyPem } = source.key;
  // Throws if it is no key.
  noteSigner(logName, privateKeyPem);
  const events = eventsOf(source);
  const isNew = !(await hasLog(client, logName));
  let compared: readonly Compared[];
  if (isNew) {
    await inTransaction(client, async () => {
      await expectEmpty(client);
      await client.query({ text: "UPDATE weir.meta SET moving = $1", values: [logName] });
    });
    options.log(`moving the log ${logName} with ${events} events`);
    compared = await inTransaction(client, () => moveAll(client, source, options));
  } else {
    // Whether the commit was answered or not: what it has compared was the same. Gateways may have changed all but the log.
    compared = [await compareLogs(client, source, events)];
  }
  markAsMoved(options.dataDir, logName, events);
  return { isNew, logName, compared };
}

/** Inside a transaction. Returns what was compared. */
async function moveAll(
  client: Client,
  source: MoveSource,
  { windowsOf, log }: MoveOptions,
): Promise<readonly Compared[]> {
  const { key, store, content } = source;
  const { tables, journal } = store;
  await expectEmpty(client);
  // The functions that write events need it.
  await client.query("SET LOCAL search_path = weir");
  await client.query("SET LOCAL synchronous_commit = on");
  await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
  await new Replication(client).logKey(key.name, key.privateKeyPem);
  const events = eventsOf(source);
  let toldAtMs = performance.now();
  const progress = (of: string): MoveProgress => {
    return (done) => {
      if (performance.now() - toldAtMs < movedProgressMs) return;
      toldAtMs = performance.now();
      log(`${done} of ${of}`);
    };
  };
  const moved = await moveLog(client, journal, progress(`${events} events`));
  log(`${events} events, ${moved.bindings} ids of stored responses, ${moved.jobs} batch jobs`);
  const rows = await moveConfiguration(client, tables);
  log(`${rows} rows of the configuration`);
  const entries = countOf(journal.ledger);
  const books = await moveBooks(client, journal, progress(`${entries} ledger entries`));
  log(`${books.entries} entries of ${books.accounts} ledgers, ${books.holds} holds ended`);
  const windows = await moveUsage(client, journal, windowsOf(tables));
  const ofContents = progress(`${contentsOf(source)} readable contents`);
  const contents = await moveContent(client, journal, content, ofContents);
  log(`${windows} windows of usage limits and budgets, ${contents} readable contents; comparing`);
  const written = await booksIn(client);
  const compared = [
    await compareLogs(client, source, events),
    compare("configuration", rows, await countIn(client, "config_row")),
    compare("accounts", countOf(journal.balances), written.accounts),
    compare("sum of balances, micro-dollars", books.balances, written.balances),
    compare("ledger entries", entries, written.entries),
    compare(
      "months of ledgers",
      countOf(journal.ledgerMonths),
      await countIn(client, "ledger_month"),
    ),
    compare("debts", countOf(journal.debts), written.debts),
    compare("readable contents", contentsOf(source), await countIn(client, "content")),
    compare("windows with usage", windows, await countIn(client, "cap")),
  ];
  await client.query("UPDATE weir.meta SET moving = NULL");
  return compared;
}

function compare(what: string, expected: number | bigint, found: number | bigint): Compared {
  if (String(expected) !== String(found)) {
    throw new Error(`${what}: ${expected} in the data directory, ${found} in the database`);
  }
  return [what, String(expected)];
}

async function compareLogs(
  client: Client,
  { store }: MoveSource,
  events: number,
): Promise<Compared> {
  const { ofRuns, ofTiles } = await rootsIn(client, events);
  const root = rootOf(store.journal.tiles, events);
  if (!root.equals(ofRuns) || !root.equals(ofTiles)) {
    throw new Error(`the first ${events} events of the database are not those of the directory`);
  }
  return ["log", `${events} events, root ${root.toString("base64")}`];
}

function eventsOf({ store }: MoveSource): number {
  return store.journal.meta.get("eventCount") ?? 0;
}

function contentsOf({ content }: MoveSource): number {
  return content === null ? 0 : countOf(content.contents);
}

async function countIn(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM weir.${table}`);
  return Number(rows[0]?.count);
}

/** Whether an earlier move has brought this log into the database. */
async function hasLog(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query({
    text: "SELECT FROM weir.log_key, weir.meta WHERE name = $1 AND moving IS NULL",
    values: [name],
  });
  return rows.length > 0;
}

/** Inside a transaction, in which no gateway begins. */
async function expectEmpty(client: Client): Promise<void> {
  await lockOutGateways(client);
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'weir' AND tablename <> ALL ($1)",
    [tablesOfEmptyStore],
  );
  const used: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT FROM weir."${name}" LIMIT 1`);
    if (rows.length > 0) used.push(name);
  }
  if (used.length > 0) {
    throw new Error(
      `The database is not empty (${used.join(", ")}): a gateway was started on it, or something else was moved into it. Use another one.`,
    );
  }
}

/** Each has one row from the beginning on, and the list of migrations. */
const tablesOfEmptyStore = ["migration", "meta", "log_head", "config_head", "content_head"];
