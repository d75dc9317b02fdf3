import { zstdDecompressSync } from "node:zlib";
import { expect } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { assertSquare, logOf, rootOfLines } from "../store/shared/reads.ts";
import type { PromisedDebit, Witness } from "./clients.ts";
import { operatorKey, type Cluster } from "./cluster.ts";
import type { CountingProvider } from "./provider.ts";

/** Waits until nothing moves any more: no hold, no escrow, nothing that waits for its place in the log. */
export async function settled(cluster: Cluster): Promise<void> {
  const left = () =>
    cluster.query(`SELECT
      (SELECT count(*)::integer FROM weir.hold) AS holds,
      (SELECT count(*)::integer FROM weir.escrow WHERE amount > 0) AS escrows,
      (SELECT count(*)::integer FROM weir.run WHERE place IS NULL) AS waiting,
      (SELECT count(*)::integer FROM weir.gateway WHERE state = 'live') - ${cluster.nodes.length} AS dead`);
  const nothing = { holds: 0, escrows: 0, waiting: 0, dead: 0 };
  await expect.poll(left, { timeout: 2 * cluster.fencedMs + 60_000 }).toEqual([nothing]);
}

/** Checks the store itself: the invariants of docs/decisions/0060-the-shared-store.md. */
export async function expectSquare(cluster: Cluster): Promise<void> {
  await cluster.withClient((client) => assertSquare(client, decompressed));
  expect(await cluster.deadlocks()).toBe(0);
  expect(cluster.server.output).not.toContain("deadlock detected");
}

interface Debit {
  readonly org_id: string;
  readonly request_id: string;
  readonly micro_usd: string;
  readonly usage: Readonly<Record<string, number>> | null;
  readonly owed: boolean;
}

/**
 * Checks the books against what clients and the provider have seen. Returns the names of answers that are not in the
 * books.
 */
export async function expectBooks(
  cluster: Cluster,
  witness: Witness,
  provider: CountingProvider,
): Promise<readonly string[]> {
  const debits = await cluster.query<Debit>(`
    SELECT org_id, request_id, amount AS micro_usd, detail -> 'usage' AS usage, false AS owed
      FROM weir.ledger WHERE type = 'debit'
    UNION ALL SELECT org_id, request_id, cost, detail -> 'usage', true FROM weir.debt`);
  const byRequest = new Map(debits.map((debit) => [debit.request_id, debit]));
  expect(byRequest.size).toBe(debits.length);
  const isLost = ({ orgId, requestId, costUsd }: PromisedDebit): boolean => {
    const debit = byRequest.get(requestId);
    const micro = debit?.micro_usd ?? null;
    return micro !== costUsd.replace(".", "").replace(/^0+/, "") || debit?.org_id !== orgId;
  };
  expect(witness.promised.filter(isLost)).toEqual([]);

  const named = debits.flatMap((debit) => {
    const { uncachedInput, outputText } = debit.usage ?? {};
    // Scans have no output.
    return outputText === undefined || outputText === 0
      ? []
      : [{ ...debit, name: `${uncachedInput} ${outputText}` }];
  });
  const names = new Set(named.map(({ name }) => name));
  const twice = named.filter(({ name }, i) => named.findIndex((one) => one.name === name) !== i);
  expect(twice).toEqual([]);
  expect([...names].filter((name) => !provider.answered.has(name))).toEqual([]);
  for (const { name, micro_usd: cost } of named) {
    const { inputTokens = 0, outputTokens = 0 } = provider.answered.get(name) ?? {};
    expect(Number(cost), name).toBe(inputTokens + 2 * outputTokens);
  }
  return [...provider.answered.keys()].filter((name) => !names.has(name));
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
        const { balanceUsd, holds } = (await json(url)) as { balanceUsd: string; holds: number };
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
      const response = await fetch(`${process?.url}/v1/audit/export.jsonl`, authorized);
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
      const response = await fetch(`${process?.url}/v1/audit/checkpoint`, authorized);
      const [, size, root = ""] = (await response.text()).split("\n");
      return { size: Number(size), root: Buffer.from(root, "base64").toString("hex") };
    });
    return Promise.all(notes);
  }
}

function decompressed(lines: Buffer): string {
  return zstdDecompressSync(lines).toString();
}

/** In no 60 seconds were more requests served than the limit. */
export function expectRate(witness: Witness, orgId: string, limit: number): void {
  const served = witness.promised.filter((promised) => promised.orgId === orgId);
  for (const first of served) {
    const within = served.filter(
      ({ sentMs, gotMs }) => sentMs >= first.sentMs && gotMs < first.sentMs + 60_000,
    );
    expect(within.length).toBeLessThanOrEqual(limit);
  }
}

const authorized = { headers: { authorization: `Bearer ${operatorKey}` } };

async function json(url: string): Promise<unknown> {
  return (await fetch(url, authorized)).json();
}
