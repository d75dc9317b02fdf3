import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/store/embedded/store.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";
import { attackTimeoutMs, rounds } from "../support/rounds.ts";
import { load, Witness } from "./load.ts";
import { PaidProvider, type MadeResponse } from "./paid-provider.ts";

/*
 * The built gateway with its real LMDB, killed with SIGKILL under load. It proves what the process
 * promises; it does not test power loss: what the operating system holds of a killed process still
 * reaches the disk.
 */

const attack = { roundsMin: 2, roundsMax: 100, share: 0.15 };
const promisesPerLife = 15;
const responsesPerLife = 5;
const operatorKey = `sk-gw-${"0".repeat(48)}`;

let provider: PaidProvider;
let folder: string;
let gateway: GatewayProcess | null = null;

beforeAll(async () => {
  provider = await PaidProvider.start();
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-"));
});

afterEach(async () => {
  gateway?.child.kill("SIGKILL");
  await gateway?.exit;
  rmSync(folder, { recursive: true, force: true });
});

afterAll(() => provider.close());

async function boot(threads: number): Promise<GatewayProcess> {
  const wires = ["chat", "responses"];
  const account = { type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
  gateway = await startProcess(
    {
      config: { providers: [{ name: "p", ...account }] },
      env: {
        GATEWAY_OPERATOR_KEY: operatorKey,
        GATEWAY_LOG_LEVEL: "error",
        GATEWAY_PROXY_THREADS: String(threads),
      },
    },
    folder,
  );
  return gateway;
}

interface Organization {
  readonly id: string;
  readonly secret: string;
  /** Keys of top-ups that were sent; each adds a dollar, however often it is sent. */
  readonly topUps: string[];
}

async function provision(api: KeysApi, name: string): Promise<Organization> {
  const { id } = await api.data(201, "POST", "orgs", { name, plan: "paid" });
  const { secret } = await api.key({ orgId: id });
  return { id, secret, topUps: ["first"] };
}

test.each([1, 2])(
  "kills lose no debit that was promised and make none twice: %i proxy threads",
  { timeout: attackTimeoutMs(attack, 15_000) },
  async (threads) => {
    const first = await boot(threads);
    const organizations: Organization[] = [];
    for (const name of ["a", "b"]) organizations.push(await provision(apiOf(first), name));
    await topUpAll(apiOf(first), organizations);
    const secrets = organizations.map(({ secret }) => secret);
    const witness = new Witness();

    let running = first;
    for (const killed of rounds(attack)) {
      // Of each life anew, for there tell its tokens one answer from the others.
      const made = provider.responses.length;
      const debitsBefore = new Set((await debitsOf(apiOf(running), organizations)).map(idOf));
      const clients = load(running, secrets, witness, () => false);
      const before = witness.promised.length;
      await expect
        .poll(() => witness.promised.length - before, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(promisesPerLife);
      await expect
        .poll(() => provider.responses.length - made, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(responsesPerLife);
      await passed((killed * 97) % 100);
      // The kill comes while these are on their way: nobody knows whether they were entered.
      for (const organization of organizations) organization.topUps.push(`kill-${killed}`);
      const topUps = Promise.allSettled([topUpAll(apiOf(running), organizations)]);
      await passed((killed * 7) % 20);
      running.child.kill("SIGKILL");
      await Promise.all([running.exit, clients, topUps]);
      running = await boot(threads);
      await topUpAll(apiOf(running), organizations);
      await expectBooks(apiOf(running), organizations, witness);
      const debits = await debitsOf(apiOf(running), organizations);
      const newer = debits.filter((debit) => !debitsBefore.has(idOf(debit)));
      await expectResponses(running, organizations, provider.responses.slice(made), newer);
    }

    const { streams, statuses } = witness;
    expect([...statuses.keys()].filter((status) => status !== 200)).toEqual([]);

    // Nothing kills the last one: then the streams' debits are there as well.
    const known = streams.length;
    let isOver = false;
    const clients = load(running, secrets, witness, () => isOver);
    await expect.poll(() => streams.length - known, { timeout: 20_000 }).toBeGreaterThan(10);
    isOver = true;
    await clients;
    running.child.kill("SIGTERM");
    expect(await running.exit).toBe(0);
    running = await boot(threads);
    const debits = await expectBooks(apiOf(running), organizations, witness);
    const last = streams.slice(known);
    expect(last.filter((requestId) => !debits.has(requestId))).toEqual([]);
    running.child.kill("SIGTERM");
    expect(await running.exit).toBe(0);
    await expectNothingHeld();
  },
);

function apiOf({ keysUrl }: GatewayProcess): KeysApi {
  return new KeysApi({ keysUrl, operatorKey });
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends every top-up again: those that are there already change nothing. */
async function topUpAll(api: KeysApi, organizations: readonly Organization[]): Promise<void> {
  for (const { id, topUps } of organizations) {
    const idempotencyKey = topUps.at(-1);
    await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "1", idempotencyKey });
  }
}

/** Returns the requests that were debited. */
async function expectBooks(
  api: KeysApi,
  organizations: readonly Organization[],
  { promised }: Witness,
): Promise<ReadonlyMap<string, string>> {
  const debits = new Map<string, string>();
  for (const { id, topUps } of organizations) {
    const entries = await entriesOf(api, id);
    expect(entries.map((entry) => entry.id)).toEqual(
      entries.map((_, i) => String(entries.length - i)),
    );
    let micro = 0;
    const added: unknown[] = [];
    for (const { type, amountUsd, requestId, idempotencyKey } of entries) {
      const amount = Math.round(Number(amountUsd) * 1e6);
      micro += type === "debit" ? -amount : amount;
      if (type !== "debit") added.push(idempotencyKey);
      else {
        expect(debits.has(String(requestId)), `${String(requestId)} is debited twice`).toBe(false);
        debits.set(String(requestId), String(amountUsd));
      }
    }
    expect(added.sort()).toEqual([...topUps].sort());
    const balanceUsd = (micro / 1e6).toFixed(6);
    expect(entries[0]).toMatchObject({ balanceAfterUsd: balanceUsd });
    const { body } = await api.call("GET", `orgs/${id}/balance`);
    expect(body).toMatchObject({ balanceUsd, availableUsd: balanceUsd, holds: 0 });
  }
  const lost = promised.filter(({ requestId, costUsd }) => debits.get(requestId) !== costUsd);
  expect(lost).toEqual([]);
  return debits;
}

/** A debit, with the key of the organization that paid. */
interface PaidDebit {
  readonly secret: string;
  readonly row: Row;
}

async function debitsOf(
  api: KeysApi,
  organizations: readonly Organization[],
): Promise<readonly PaidDebit[]> {
  const debits: PaidDebit[] = [];
  for (const { id, secret } of organizations) {
    for (const row of await entriesOf(api, id))
      if (row["type"] === "debit") debits.push({ secret, row });
  }
  return debits;
}

function idOf({ row }: PaidDebit): string {
  return String(row["requestId"]);
}

/** A response's id is known to the organization that was debited for it, and to nobody if nobody was. */
async function expectResponses(
  { url }: GatewayProcess,
  organizations: readonly Organization[],
  made: readonly MadeResponse[],
  debits: readonly PaidDebit[],
): Promise<void> {
  const payers = new Map(debits.map(({ secret, row }) => [usageOf(row), secret]));
  const rows = made.map(async ({ id, inputTokens, outputTokens }) => {
    const payer = payers.get(`${inputTokens} ${outputTokens}`);
    const knowing = organizations.map(async ({ secret }) => {
      const headers = { authorization: `Bearer ${secret}` };
      const response = await fetch(`${url}/v1/responses/${id}`, { headers });
      await response.text();
      return response.status;
    });
    const expected = organizations.map(({ secret }) => (secret === payer ? 200 : 404));
    expect([id, await Promise.all(knowing)]).toEqual([id, expected]);
  });
  await Promise.all(rows);
}

function usageOf({ usage }: Row): string {
  const { uncachedInput = 0, outputText = 0 } = usage as Readonly<Record<string, number>>;
  return `${uncachedInput} ${outputText}`;
}

async function entriesOf(api: KeysApi, id: string): Promise<readonly Row[]> {
  const entries: Row[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { body } = await api.call("GET", `orgs/${id}/ledger?limit=1000${more}`);
    entries.push(...(body?.["data"] as Row[]));
    cursor = body?.["nextCursor"] as string | null;
  } while (cursor !== null);
  return entries;
}

/** A balance counts live holds alone; the store must have forgotten the others as well. */
async function expectNothingHeld(): Promise<void> {
  const opened = await openStore({ dataDir: join(folder, "data") });
  if (!opened.ok) throw new Error(opened.fault);
  const { journal } = opened.value;
  expect([...journal.holds.getKeys()]).toEqual([]);
  expect([...journal.debts.getKeys()]).toEqual([]);
  await opened.value.close();
}
