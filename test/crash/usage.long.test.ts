import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";
import { attackTimeoutMs, rounds } from "../support/rounds.ts";
import { load, Witness } from "./load.ts";
import { PaidProvider } from "./paid-provider.ts";

const attack = { roundsMin: 2, roundsMax: 100, share: 0.08 };
const promisesPerLife = 15;
const operatorKey = `sk-gw-${"5".repeat(48)}`;

/** What usage limits say that an organization has used. */
interface Used {
  readonly costMicroUsd: number;
  readonly tokens: number;
  readonly requests: number;
}

test.each([1, 2])(
  "after kills usage limits have every debit that the books have, once: %i proxy threads",
  { timeout: attackTimeoutMs(attack, 40_000) },
  async (threads) => {
    const provider = await PaidProvider.start();
    const account = { type: "openai", baseUrl: provider.origin, wires: ["chat"], models: ["m"] };
    const options = {
      config: { providers: [{ name: "p", ...account }] },
      env: {
        GATEWAY_OPERATOR_KEY: operatorKey,
        GATEWAY_LOG_LEVEL: "error",
        GATEWAY_PROXY_THREADS: String(threads),
      },
    };
    let running = await startProcess(options);
    const { folder } = running;
    const { id: orgId } = await apiOf(running).data(201, "POST", "orgs", {
      name: "a",
      plan: "paid",
      budget: { usd: "1000", window: "month" },
    });
    const topUp = { amountUsd: "100", idempotencyKey: "first" };
    await apiOf(running).data(201, "POST", `orgs/${orgId}/top-ups`, topUp);
    const { secret } = await apiOf(running).key({ orgId });
    const limits = await limitsOf(apiOf(running), orgId);

    const witness = new Witness();
    for (const killed of rounds(attack)) {
      const clients = load(running, [secret, secret], witness, () => false, ["json", "stream"]);
      const before = witness.promised.length;
      await expect
        .poll(() => witness.promised.length - before, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(promisesPerLife);
      // Whenever it comes, what is in the books is in the limits.
      await new Promise((resolve) => setTimeout(resolve, (killed * 97) % 100));
      running.child.kill("SIGKILL");
      await Promise.all([running.exit, clients]);
      running = await startProcess(options, folder);
      const { debits, costMicroUsd, tokens } = await debitedTo(apiOf(running), orgId);
      const used = await usedOf(apiOf(running), limits);
      expect(used).toMatchObject({ costMicroUsd, tokens });
      // Of those that were in flight nobody knows what they cost; that they were made is known.
      expect(used.requests).toBeGreaterThanOrEqual(debits);
      expect(debits).toBeGreaterThanOrEqual(witness.promised.length);
    }
    running.child.kill("SIGKILL");
    await Promise.all([running.exit, provider.close()]);
    rmSync(folder, { recursive: true, force: true });
  },
);

function apiOf({ keysUrl }: GatewayProcess): KeysApi {
  return new KeysApi({ keysUrl, operatorKey });
}

/** A limit of each type, far from what is used. */
async function limitsOf(api: KeysApi, orgId: string): Promise<readonly string[]> {
  const make = async (limitType: string): Promise<string> => {
    const timeWindow = "1 month";
    const limit = { orgId, name: limitType, limitType, threshold: "1000000000", timeWindow };
    return (await api.data(201, "POST", "usage-limits", limit)).id;
  };
  return Promise.all(["cost", "tokens", "requests"].map(make));
}

async function usedOf(api: KeysApi, limits: readonly string[]): Promise<Used> {
  const [cost = 0, tokens = 0, requests = 0] = await Promise.all(
    limits.map(async (id) => {
      const { currentUsage } = await api.data(200, "GET", `usage-limits/${id}/usage`);
      return Number(currentUsage);
    }),
  );
  return { costMicroUsd: Math.round(cost * 1e6), tokens, requests };
}

/** What the ledger says. */
async function debitedTo(api: KeysApi, orgId: string) {
  const sums = { debits: 0, costMicroUsd: 0, tokens: 0 };
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${cursor}`;
    const { body } = await api.call("GET", `orgs/${orgId}/ledger?limit=1000${more}`);
    for (const { type, amountUsd, usage } of body?.["data"] as Row[]) {
      if (type !== "debit") continue;
      sums.debits += 1;
      sums.costMicroUsd += Math.round(Number(amountUsd) * 1e6);
      for (const tokens of Object.values(usage as Record<string, number>)) sums.tokens += tokens;
    }
    cursor = body?.["nextCursor"] as string | null;
  } while (cursor !== null);
  return sums;
}
