import { zstdDecompressSync } from "node:zlib";
import { expect } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { assertSquare, logOf, rootOfLines } from "../store/shared/reads.ts";
import { until } from "./bounded.ts";
import type { PromisedDebit, Witness } from "./clients.ts";
import { operatorKey, type Cluster } from "./cluster.ts";
import type { CountingProvider } from "./provider.ts";

/** Waits until nothing moves any more: no hold, no escrow, no grant of a limit, nothing that waits for its place in the log. */
export async function settled(cluster: Cluster): Promise<void> {
  const left = () =>
    cluster.query(`SELECT
      (SELECT count(*)::integer FROM weir.hold) AS holds,
      (SELECT count(*)::integer FROM weir.escrow WHERE amount > 0) AS escrows,
      (SELECT count(*)::integer FROM weir.cap_grant WHERE amount > 0) AS grants,
      (SELECT count(*)::integer FROM weir.run WHERE place IS NULL) AS waiting,
      (SELECT count(*)::integer FROM weir.gateway WHERE state = 'live') - ${cluster.nodes.length} AS dead`);
  const nothing = { holds: 0, escrows: 0, grants: 0, waiting: 0, dead: 0 };
  const isSo = async (): Promise<true | string> => {
    const [found] = await left();
    const isSettled = JSON.stringify(found) === JSON.stringify(nothing);
    return isSettled || JSON.stringify(found);
  };
  const msMax = 2 * cluster.fencedMs + 60_000;
  await until("nothing moves", msMax, isSo, () => cluster.state());
}

/**
 * Checks the store itself, at any moment: the invariants of docs/decisions/0060-the-shared-store.md, and that PostgreSQL
 * had neither a deadlock nor an error.
 */
export async function expectSquare(cluster: Cluster): Promise<void> {
  await cluster.withClient(async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await assertSquare(client, decompressed);
    const { rows } = await client.query(uncoveredHolds);
    expect(rows, "holds that no escrow covers").toEqual([]);
    await client.query("COMMIT");
  });
  expect(await cluster.heardOfFenced(), "gateways that wrote when they were fenced").toEqual([]);
  expect(await cluster.deadlocks()).toBe(0);
  const lines = cluster.server.output.split("\n");
  const errors = lines.filter((line) => line.includes("ERROR:") && !expectedErrors.test(line));
  expect(errors, "errors in PostgreSQL's log").toEqual([]);
}

const uncoveredHolds = `
  SELECT gateway_id, org_id, sum(amount) AS held,
    (SELECT amount FROM weir.escrow AS e WHERE (e.gateway_id, e.org_id) = (h.gateway_id, h.org_id)) AS escrow
  FROM weir.hold AS h GROUP BY gateway_id, org_id
  HAVING sum(amount) > coalesce(
    (SELECT amount FROM weir.escrow AS e WHERE (e.gateway_id, e.org_id) = (h.gateway_id, h.org_id)), 0)`;

/** A connection that broke, or a server that stood still. */
const expectedErrors = /canceling statement due to (statement timeout|user request)/;

interface Debit {
  readonly org_id: string;
  readonly request_id: string;
  readonly micro_usd: string;
  readonly usage: Readonly<Record<string, number>> | null;
  readonly owed: boolean;
}

export interface Books {
  /** Names of answers that are not in the books. */
  readonly unpaid: readonly string[];
  /** What was debited, in dollars by request. */
  readonly debited: ReadonlyMap<string, string>;
}

/**
 * Checks the books against what clients and the provider have seen. `nameless`: an organization whose answers have no
 * names.
 */
export async function expectBooks(
  cluster: Cluster,
  witness: Witness,
  provider: CountingProvider,
  nameless: string,
): Promise<Books> {
  const debits = await cluster.query<Debit>(`
    SELECT org_id, request_id, amount AS micro_usd, detail -> 'usage' AS usage, false AS owed
      FROM weir.ledger WHERE type = 'debit'
    UNION ALL SELECT org_id, request_id, cost, detail -> 'usage', true FROM weir.debt`);
  const byRequest = new Map(debits.map((debit) => [debit.request_id, debit]));
  expect(byRequest.size, "requests with debits").toBe(debits.length);
  const isLost = ({ orgId, requestId, costUsd }: PromisedDebit): boolean => {
    const debit = byRequest.get(requestId);
    return debit?.org_id !== orgId || usd(debit.micro_usd) !== costUsd;
  };
  expect(witness.promised.filter(isLost), "promised debits").toEqual([]);

  const names = new Set<string>();
  const wrong: string[] = [];
  for (const { org_id: orgId, request_id: requestId, micro_usd: cost, usage } of debits) {
    const { uncachedInput, outputText = 0 } = usage ?? {};
    // Scans have no output.
    if (outputText === 0 || orgId === nameless) continue;
    const name = `${uncachedInput} ${outputText}`;
    const told = `${requestId}: ${name} for ${cost}`;
    if (names.has(name)) wrong.push(`${told} is in the books twice`);
    names.add(name);
    const used = provider.answered.get(name);
    if (used === undefined) wrong.push(`${told} was never answered`);
    else if (Number(cost) !== used.inputTokens + 2 * used.outputTokens) {
      wrong.push(`${told} has another price`);
    }
  }
  expect(wrong).toEqual([]);
  const paid = debits.filter(({ owed }) => !owed);
  return {
    unpaid: [...provider.answered.keys()].filter((name) => !names.has(name)),
    debited: new Map(paid.map((debit) => [debit.request_id, usd(debit.micro_usd)])),
  };
}

/** 1234567 → 1.234567 */
function usd(microUsd: string): string {
  const digits = microUsd.padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** What was topped up is what operators were answered, each key once. */
export async function expectToppedUp(
  cluster: Cluster,
  answered: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = await cluster.query<{ key: string; amount: string }>(
    "SELECT org_id || ' ' || idempotency_key AS key, amount FROM weir.ledger WHERE type = 'top_up'",
  );
  const found = rows.map(({ key, amount }) => `${key}: ${Number(amount)}`).sort();
  const asked = [...answered].map(([key, usd]) => `${key}: ${Math.round(Number(usd) * 1e6)}`);
  expect(found.filter((one) => !one.includes("opening-balance"))).toEqual(asked.sort());
}

/** How many gateways were taken for dead, since the start. */
export async function fencedCount(cluster: Cluster): Promise<number> {
  const [row] = await cluster.query<{ fenced: number }>(
    "SELECT count(*)::integer AS fenced FROM weir.gateway WHERE state = 'fenced'",
  );
  return row?.fenced ?? 0;
}

/** Every gateway tells the balances that the books have. */
export async function expectBalances(cluster: Cluster, orgIds: readonly string[]): Promise<void> {
  const rows = await cluster.query<{ org_id: string; balance: string }>(
    "SELECT org_id, balance FROM weir.account",
  );
  const balances = new Map(rows.map(({ org_id: orgId, balance }) => [orgId, balance]));
  for (const { process } of cluster.nodes) {
    for (const orgId of orgIds) {
      const told = async (): Promise<string> => {
        const url = `${process?.keysUrl}/api/v1/gateway/orgs/${orgId}/balance`;
        const { balanceUsd, holds } = (await (await asOperator(url)).json()) as {
          balanceUsd: string;
          holds: number;
        };
        return `${BigInt(balanceUsd.replace(".", ""))} ${holds}`;
      };
      await expect.poll(told).toBe(`${balances.get(orgId)} 0`);
    }
  }
}

/** A log that only grows, as gateways have signed it. */
export class OneLog {
  readonly #cluster: Cluster;
  /** Roots in hex by the sizes that checkpoints had. */
  readonly #roots = new Map<number, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** All gateways sign the same log, up to the event that tells of the last checkpoint. */
  async expectAgreed(): Promise<void> {
    const behind = async (): Promise<number> => {
      const [head] = await this.#cluster.query<{ size: string }>("SELECT size FROM weir.log_head");
      const sizes = (await this.#notes()).map(({ size }) => size);
      return Number(head?.size) - Math.min(...sizes);
    };
    await expect.poll(behind).toBeLessThanOrEqual(1);
    for (const { size, root } of await this.#notes()) {
      expect(this.#roots.get(size) ?? root, `at ${size}`).toBe(root);
      this.#roots.set(size, root);
    }
  }

  /** Every event verifies at every gateway, and every checkpoint so far was of the beginning of this log. */
  async expectWhole(): Promise<void> {
    const keys = new Set<string>();
    for (const { process } of this.#cluster.nodes) {
      const response = await asOperator(`${process?.url}/v1/audit/export.jsonl`);
      if (response.body === null) throw new Error("there is no export");
      const verdict = await verifyAudit(response.body, null);
      expect(verdict).toMatchObject({ ok: true });
      keys.add(verdict.ok ? verdict.verifierKey : "");
    }
    expect(keys.size).toBe(1);
    const lines = await this.#cluster.withClient((client) => logOf(client, decompressed));
    for (const [size, root] of this.#roots) {
      expect(rootOfLines(lines.slice(0, size)).toString("hex"), `at ${size}`).toBe(root);
    }
  }

  /** The checkpoint that each gateway has. */
  #notes(): Promise<readonly { readonly size: number; readonly root: string }[]> {
    const notes = this.#cluster.nodes.map(async ({ process }) => {
      const response = await asOperator(`${process?.url}/v1/audit/checkpoint`);
      const [, size, root = ""] = (await response.text()).split("\n");
      return { size: Number(size), root: Buffer.from(root, "base64").toString("hex") };
    });
    return Promise.all(notes);
  }
}

function decompressed(lines: Buffer): string {
  return zstdDecompressSync(lines).toString();
}

const fetchMsMax = 60_000;

function asOperator(url: string): Promise<Response> {
  return fetch(url, {
    headers: { authorization: `Bearer ${operatorKey}` },
    signal: AbortSignal.timeout(fetchMsMax),
  });
}
