import type { Client } from "pg";
import type { LedgerEntry } from "../../contract/ledger.ts";
import { canonicalEvent } from "../../contract/audit.ts";
import { pagesOf, type Row } from "../embedded/files/pages.ts";
import type { LmdbJournalTables } from "../embedded/journal/journal-tables.ts";
import type { Tables } from "../embedded/tables.ts";
import { entryRefused } from "../ledger/ledger-events.ts";
import type { MoveProgress } from "./move-log.ts";
import { configRowOf, configurationIn } from "./replica.ts";
import { columnsOf } from "./replication.ts";

/** Rows of one statement. */
const rowsAtOnce = 2_000;

/** Moves the configuration; whoever starts reads it whole. Call it in a transaction, as all below. Returns its rows. */
export async function moveConfiguration(client: Client, tables: Tables): Promise<number> {
  let rows = 0;
  for (const some of inPieces(configurationIn(tables))) {
    await client.query({
      text: `INSERT INTO weir.config_row (name, key, value)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[])`,
      values: [...columnsOf(some.map(configRowOf))],
    });
    rows += some.length;
  }
  await client.query("UPDATE weir.config_head SET seq = 1");
  return rows;
}

/** Sums of the books of a data directory. */
export interface MovedBooks {
  readonly accounts: number;
  readonly balances: bigint;
  readonly entries: number;
  readonly debts: number;
  /** Holds of requests that a crash had cut off. */
  readonly holds: number;
}

/**
 * Moves balances, ledgers with their months, and debts. Holds end with an unknown outcome, and refused entries get their
 * event, as at a start; their events get their places with the first ones of the gateways. `progress`: of entries.
 */
export async function moveBooks(
  client: Client,
  tables: LmdbJournalTables,
  progress: MoveProgress,
): Promise<MovedBooks> {
  let [accounts, balances, entries, debts] = [0, 0n, 0, 0];
  for (const page of pagesOf(tables.balances, rowsAtOnce)) {
    await insertJson(
      client,
      `INSERT INTO weir.account (org_id, balance, entries)
        SELECT r ->> 0, (r ->> 1)::bigint, (r ->> 2)::bigint`,
      page.map(({ key, value }) => [key, value.balance, value.entries]),
    );
    accounts += page.length;
    for (const { value } of page) balances += BigInt(value.balance);
  }
  for (const page of pagesOf(tables.ledger, rowsAtOnce)) {
    await insertJson(client, insertEntries, page.map(entryRowOf));
    entries += page.length;
    progress(entries);
  }
  for (const page of pagesOf(tables.ledgerMonths, rowsAtOnce)) {
    await insertJson(
      client,
      `INSERT INTO weir.ledger_month (org_id, month, debits, top_ups, corrections, entries)
        SELECT r ->> 0, r ->> 1, (r ->> 2)::bigint, (r ->> 3)::bigint, (r ->> 4)::bigint, (r ->> 5)::bigint`,
      page.map(({ key, value: { debits, topUps, corrections, entries } }) => {
        return [...key, debits, topUps, corrections, entries];
      }),
    );
  }
  for (const page of pagesOf(tables.debts, rowsAtOnce)) {
    await insertJson(
      client,
      `INSERT INTO weir.debt (org_id, request_id, cost, owed_at, payer, detail)
        SELECT r ->> 0, r ->> 1, (r ->> 2)::bigint, r ->> 3, r -> 4, r -> 5`,
      page.map(({ key, value: { cost, owedAt = "", by = null, catalogVersion, usage } }) => {
        return [...key, cost, owedAt, by, { catalogVersion, usage }];
      }),
    );
    debts += page.length;
  }
  return { accounts, balances, entries, debts, holds: await endHolds(client, tables) };
}

const insertEntries = `INSERT INTO weir.ledger
    (org_id, number, type, amount, balance_after, idempotency_key, request_id, created_at, detail)
  SELECT r ->> 0, (r ->> 1)::bigint, r ->> 2, (r ->> 3)::bigint, (r ->> 4)::bigint, r ->> 5, r ->> 6, r ->> 7,
    nullif(r -> 8, 'null')`;

function entryRowOf({
  key: [orgId, number],
  value,
}: Row<[orgId: string, number: number], LedgerEntry>): readonly unknown[] {
  const { type, idempotencyKey, requestId, createdAt, catalogVersion, usage } = value;
  const amounts = [microUsdIn(value.amountUsd), microUsdIn(value.balanceAfterUsd)];
  const detail = type === "debit" ? { catalogVersion, usage } : null;
  return [orgId, number, type, ...amounts, idempotencyKey, requestId, createdAt, detail];
}

/** Of an amount as the ledger has it: with six places, perhaps below zero. */
function microUsdIn(usd: string): string {
  return String(BigInt(usd.replace(".", "")));
}

async function endHolds(client: Client, tables: LmdbJournalTables): Promise<number> {
  let holds = 0;
  for (const page of pagesOf(tables.holds, rowsAtOnce)) {
    const rows = page.map(({ key, value: { orgId, amount, by = null } }) => [
      key,
      orgId,
      amount,
      by,
    ]);
    await client.query({
      text: `SELECT weir.append_made(array_agg(
          weir.hold_expired_line(r ->> 1, r ->> 0, (r ->> 2)::bigint, weir.now_text(), r -> 3) ORDER BY r ->> 0))
        FROM jsonb_array_elements($1) AS r`,
      values: [JSON.stringify(rows)],
    });
    holds += page.length;
  }
  for (const page of pagesOf(tables.refusedEntries, rowsAtOnce)) {
    const at = new Date().toISOString();
    const lines = page.map(({ value }) => canonicalEvent(entryRefused(value), at));
    await client.query({ text: "SELECT weir.append_made($1)", values: [lines] });
  }
  return holds;
}

async function insertJson(
  client: Client,
  insert: string,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  await client.query({
    text: `${insert} FROM jsonb_array_elements($1) AS r`,
    values: [JSON.stringify(rows)],
  });
}

function* inPieces<T>(all: Iterable<T>): Generator<readonly T[]> {
  let piece: T[] = [];
  for (const one of all) {
    piece.push(one);
    if (piece.length < rowsAtOnce) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** The same sums, of a database. */
export async function booksIn(client: Client): Promise<Omit<MovedBooks, "holds">> {
  const { rows } = await client.query<{ [Name in keyof MovedBooks]: string }>(`SELECT
    (SELECT count(*) FROM weir.account) AS accounts,
    (SELECT coalesce(sum(balance), 0) FROM weir.account) AS balances,
    (SELECT count(*) FROM weir.ledger) AS entries,
    (SELECT count(*) FROM weir.debt) AS debts`);
  const [sums] = rows;
  if (sums === undefined) throw new Error("the database does not answer");
  return {
    accounts: Number(sums.accounts),
    balances: BigInt(sums.balances),
    entries: Number(sums.entries),
    debts: Number(sums.debts),
  };
}
