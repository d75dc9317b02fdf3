import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi } from "../support/keys-api.ts";
import { attackTimeoutMs, rounds } from "../support/rounds.ts";

const operatorKey = `sk-gw-${"0".repeat(48)}`;
const keysAtOnce = 8;
/** All keys that it makes fit into one list. */
const attack = { roundsMin: 2, roundsMax: 100, share: 0.05 };

let folder: string;
let gateway: GatewayProcess | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weir-"));
});

afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

async function boot(): Promise<GatewayProcess> {
  const env = { GATEWAY_OPERATOR_KEY: operatorKey, GATEWAY_LOG_LEVEL: "error" };
  return (gateway = await startProcess({ env }, folder));
}

async function kill(): Promise<void> {
  gateway?.child.kill("SIGKILL");
  await gateway?.exit;
}

/** Ids of the keys whose creation is in the audit log. */
async function recorded({ url }: GatewayProcess): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${operatorKey}` };
  const response = await fetch(`${url}/v1/audit/events?limit=1000&event_type=key.created`, {
    headers,
  });
  const { data } = (await response.json()) as {
    readonly data: readonly { readonly data: { readonly id: string } }[];
  };
  return data.map(({ data: { id } }) => id);
}

test(
  "what the keys API has changed is in the audit log, whatever a kill comes between",
  { timeout: attackTimeoutMs(attack, 30_000) },
  async () => {
    let running = await boot();
    for (const round of rounds(attack)) {
      const api = new KeysApi({ keysUrl: running.keysUrl, operatorKey });
      const create = (_: unknown, i: number) => {
        const body = { orgId: null, role: "operator", name: `${round} ${i}` };
        return api.data(201, "POST", "api-keys", body).catch(() => null);
      };
      const creating = Array.from({ length: keysAtOnce }, create);
      await Promise.any(creating);
      await kill();
      await Promise.all(creating);
      running = await boot();
      const listed = await new KeysApi({ keysUrl: running.keysUrl, operatorKey }).call(
        "GET",
        "api-keys?limit=1000",
      );
      const made = (listed.body?.["data"] as readonly { id: string; name: string }[])
        .filter(({ name }) => name.startsWith(`${round} `))
        .map(({ id }) => id);
      expect(made.length).toBeGreaterThan(0);
      expect(await recorded(running)).toEqual(expect.arrayContaining(made));
    }
  },
);
