import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { ended, postBatch, type Caller } from "../endpoints/batch/batch-client.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";
import { attackTimeoutMs, rounds } from "../support/rounds.ts";

const attack = { roundsMin: 2, roundsMax: 100, share: 0.1 };
const itemsPerJob = 40;

const operatorKey = `sk-gw-${"c0ffee".repeat(8)}`;
const options = {
  config: { scan: { requestsPerMinute: 1_000_000 } },
  env: { GATEWAY_OPERATOR_KEY: operatorKey },
};

const items = Array.from({ length: itemsPerJob }, (_, i) => ({
  id: `item-${i}`,
  input: `Text number ${i}, to be scanned.`,
}));

test(
  "kill -9 under load, again and again: no item is lost, billed twice or stuck",
  { timeout: attackTimeoutMs(attack, 15_000) },
  async () => {
    const first = await startProcess(options);
    const keys = new KeysApi({ keysUrl: first.keysUrl, operatorKey });
    const { secret: key } = await keys.key({ orgId: await keys.firstOrganization() });
    const accepted: string[] = [];
    let running: GatewayProcess = first;
    for (const kill of rounds(attack)) {
      const killed = running;
      const load = submitUntilGone({ url: killed.url, key }, accepted);
      await new Promise((resolve) => setTimeout(resolve, 20 + ((kill * 97) % 400)));
      killed.child.kill("SIGKILL");
      await Promise.all([killed.exit, load]);
      running = await startProcess(options, first.folder);
    }
    const caller = { url: running.url, key };
    for (const jobId of accepted) {
      const job = await ended(caller, jobId);
      expect(job.counts).toEqual({ queued: 0, running: 0, completed: itemsPerJob, failed: 0 });
      expect(job.results.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    }
    const books = await readBooks(running);
    const debits = books.entries.filter(({ type }) => type === "debit");
    const names = debits.map(({ idempotencyKey }) => idempotencyKey);
    // A submission whose answer the kill cut may have been stored; then it ran whole, too.
    const jobs = new Set(names.map((name) => name.split("/")[0]));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(jobs.size * itemsPerJob);
    for (const jobId of accepted) expect(jobs).toContain(jobId);
    const debited = debits.reduce((sum, { amountUsd }) => sum + micro(amountUsd), 0n);
    expect(micro("10.000000") - micro(books.balanceUsd)).toBe(debited);
    expect(books.holds).toBe(0);
    running.child.kill("SIGTERM");
    await running.exit;
    rmSync(first.folder, { recursive: true, force: true });
  },
);

/** Submits job after job until the gateway is gone, and notes those that were accepted. */
async function submitUntilGone(caller: Caller, accepted: string[]): Promise<void> {
  for (;;) {
    try {
      const response = await postBatch(caller, { items });
      const body = (await response.json()) as { readonly job_id: string };
      if (response.status === 202) accepted.push(body.job_id);
      // 429: the backlog is full, what is there has to be worked off first.
      else if (response.status !== 429) throw new Error(`answered ${response.status}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    } catch (error) {
      // fetch says `TypeError` for a connection that was cut.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

interface Entry {
  readonly type: string;
  readonly amountUsd: string;
  readonly idempotencyKey: string;
}

/** The books once every unacknowledged job has ended as well: when nothing moves any more. */
async function readBooks(running: GatewayProcess) {
  const api = new KeysApi({ keysUrl: running.keysUrl, operatorKey });
  const org = await api.firstOrganization();
  let before = "";
  for (;;) {
    const { body } = await api.call("GET", `orgs/${org}/balance`);
    const { balanceUsd, holds } = body as { balanceUsd: string; holds: number };
    if (balanceUsd === before && holds === 0) {
      return { entries: await entriesOf(api, org), balanceUsd, holds };
    }
    before = balanceUsd;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function entriesOf(api: KeysApi, org: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let cursor: unknown = null;
  do {
    const query: string = typeof cursor === "string" ? `&cursor=${cursor}` : "";
    const { body } = await api.call("GET", `orgs/${org}/ledger?limit=1000${query}`);
    entries.push(...(body?.["data"] as readonly Entry[]));
    cursor = body?.["nextCursor"];
  } while (cursor !== null);
  return entries;
}

function micro(usd: string): bigint {
  return BigInt(usd.replace(".", ""));
}
