import type { Client } from "pg";
import { expect } from "vitest";
import { emptyRoot, leafHash, nodeHash, splitPoint } from "../../../src/store/audit/merkle.ts";
import { rootOf, type Tiles } from "../../../src/store/audit/merkle-tree.ts";
import type { Flush } from "../../../src/store/shared/functions.ts";
import { textOf } from "./model.ts";

/** Lines as a flush brings them. Tests don't compress them. */
export function eventsOf(lines: readonly string[]): Flush["events"] {
  if (lines.length === 0) return null;
  const leaves = Buffer.concat(lines.map((line) => leafHash(Buffer.from(line))));
  return { lines: Buffer.from(lines.join("\n")), leaves };
}

/** The entries of all ledgers: number, type, amount, balance. */
export async function ledgerOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<Record<string, string>>(
    "SELECT number, type, amount, balance_after FROM weir.ledger ORDER BY org_id, number",
  );
  return rows.map((row) => Object.values(row).join(" "));
}

/** The events that the store itself has written, in the order of their runs. */
export async function madeLines(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ made: string }>(
    "SELECT made FROM weir.run WHERE made IS NOT NULL ORDER BY gateway_id, seq",
  );
  return rows.flatMap(({ made }) => made.split("\n"));
}

/** The same text as `SharedModel.books`. */
export async function booksOf(client: Client): Promise<string> {
  const rows = async (sql: string): Promise<unknown[][]> =>
    (await client.query<unknown[]>({ text: sql, rowMode: "array" })).rows;
  const accounts = await rows("SELECT org_id, balance, escrowed FROM weir.account");
  const of = async (orgId: unknown, sql: string): Promise<unknown[][]> =>
    (await client.query<unknown[]>({ text: sql, values: [orgId], rowMode: "array" })).rows;
  const whole = [];
  for (const [orgId, ...amounts] of accounts) {
    const escrow = await of(
      orgId,
      "SELECT gateway_id::int, amount FROM weir.escrow WHERE org_id = $1 AND amount > 0 ORDER BY 1",
    );
    const entries = await of(
      orgId,
      `SELECT number::int, type, amount, balance_after, idempotency_key
       FROM weir.ledger WHERE org_id = $1 ORDER BY number`,
    );
    const debts = await of(orgId, "SELECT request_id, cost FROM weir.debt WHERE org_id = $1");
    whole.push([orgId, ...amounts, escrow, entries, debts.sort()]);
  }
  const holds = await rows("SELECT request_id, org_id, amount, gateway_id::int FROM weir.hold");
  return textOf({ accounts: whole.sort(), holds: holds.sort() });
}

/** How a gateway's lines are compressed. Most tests don't compress them. */
export type Decode = (lines: Buffer) => string;

/** The lines of the log, in order. */
export async function logOf(client: Client, decode: Decode = String): Promise<readonly string[]> {
  const { rows } = await client.query<{
    first: string;
    n: number;
    lines: Buffer | null;
    made: string | null;
  }>("SELECT first, n, lines, made FROM weir.run WHERE place IS NOT NULL ORDER BY place");
  const log: string[] = [];
  for (const { first, n, lines, made } of rows) {
    expect(Number(first)).toBe(log.length);
    const texts = [lines === null ? null : decode(lines), made];
    const here = texts.flatMap((text) => (text === null ? [] : text.split("\n")));
    expect(here).toHaveLength(n);
    log.push(...here);
  }
  return log;
}

/** The root that the store's tiles have. */
export async function rootIn(client: Client, size: number): Promise<Buffer> {
  const { rows } = await client.query<{ level: number; i: string; hashes: Buffer }>(
    "SELECT level, i, hashes FROM weir.tile",
  );
  const tiles = new Map(rows.map(({ level, i, hashes }) => [`${level} ${i}`, hashes]));
  const readOnly = (): never => {
    throw new Error("read only");
  };
  const stored: Tiles = {
    get: ([level, i]) => tiles.get(`${level} ${i}`),
    ...{ putSync: readOnly, removeSync: readOnly },
  };
  return rootOf(stored, size);
}

/** The root of lines, by the definition of RFC 6962. */
export function rootOfLines(lines: readonly string[]): Buffer {
  const of = (from: number, to: number): Buffer => {
    if (to - from === 1) return leafHash(Buffer.from(lines[from] ?? ""));
    const middle = from + splitPoint(to - from);
    return nodeHash(of(from, middle), of(middle, to));
  };
  return lines.length === 0 ? emptyRoot : of(0, lines.length);
}

/** Checks the invariants I1 to I5, I8 and I10 of docs/decisions/0060-the-shared-store.md on what the store has. */
export async function assertSquare(client: Client, decode?: Decode): Promise<void> {
  const none = async (sql: string): Promise<void> => {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    expect(rows, sql).toEqual([]);
  };
  // I1, I2. Escrow is that of live gateways alone.
  await none(`SELECT a.* FROM weir.account a WHERE balance < 0 OR escrowed > balance OR escrowed <>
    (SELECT coalesce(sum(amount), 0) FROM weir.escrow e WHERE e.org_id = a.org_id)`);
  await none(`SELECT e.* FROM weir.escrow e JOIN weir.gateway g ON g.id = e.gateway_id
    WHERE g.state <> 'live' AND e.amount > 0`);
  await none(`SELECT h.* FROM weir.hold h JOIN weir.gateway g ON g.id = h.gateway_id
    WHERE g.state <> 'live'`);
  // I4: one entry or one debt a key.
  await none(`SELECT org_id, idempotency_key FROM weir.ledger GROUP BY 1, 2 HAVING count(*) > 1`);
  await none(`SELECT d.* FROM weir.debt d JOIN weir.ledger l
    ON l.org_id = d.org_id AND l.idempotency_key = d.request_id`);
  // I8: numbers without a gap, and balances that follow.
  await none(`SELECT * FROM (SELECT org_id, number, balance_after,
      row_number() OVER w AS place,
      sum(CASE type WHEN 'debit' THEN -amount ELSE amount END) OVER w AS follows
    FROM weir.ledger WINDOW w AS (PARTITION BY org_id ORDER BY number)) AS e
    WHERE number <> place OR balance_after <> follows`);
  await none(`SELECT a.* FROM weir.account a WHERE (entries, balance) <> (
    (SELECT count(*) FROM weir.ledger l WHERE l.org_id = a.org_id),
    (SELECT coalesce(sum(CASE type WHEN 'debit' THEN -amount ELSE amount END), 0)
      FROM weir.ledger l WHERE l.org_id = a.org_id))`);
  await none(`SELECT org_id, month FROM weir.ledger_month m WHERE (debits, top_ups, corrections, entries) <> (
    SELECT coalesce(sum(amount) FILTER (WHERE type = 'debit'), 0),
      coalesce(sum(amount) FILTER (WHERE type = 'top_up'), 0),
      coalesce(sum(amount) FILTER (WHERE type = 'correction'), 0), count(*)
    FROM weir.ledger l WHERE l.org_id = m.org_id AND left(l.created_at, 7) = m.month)`);
  // I5, I10: every run of a gateway is one of its flushes, and they are in the log in order.
  await none(`SELECT r.* FROM weir.run r LEFT JOIN weir.gateway g ON g.id = r.gateway_id
    WHERE r.gateway_id > 0 AND r.seq > coalesce(g.flush_seq, 0)`);
  await none(`SELECT * FROM (SELECT gateway_id, first,
      lag(first) OVER (PARTITION BY gateway_id ORDER BY seq) AS before FROM weir.run
      WHERE gateway_id > 0 AND first IS NOT NULL) AS r WHERE before > first`);
  const log = await logOf(client, decode);
  const { rows } = await client.query<{ size: string }>("SELECT size FROM weir.log_head");
  expect(Number(rows[0]?.size)).toBe(log.length);
  expect((await rootIn(client, log.length)).toString("hex")).toBe(rootOfLines(log).toString("hex"));
}
