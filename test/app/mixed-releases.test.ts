import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { buildIdentity } from "../../src/app/build-identity.ts";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { onSharedStore } from "../support/shared-database.ts";

/** What a migration of a later release may do while gateways of this one run: it adds (CONTRIBUTING.md). */
const nextRelease = `
  SET search_path = weir;
  ALTER TABLE account ADD COLUMN tier text NOT NULL DEFAULT 'none';
  ALTER TABLE gateway ADD COLUMN zone text;
  ALTER TABLE hold ADD COLUMN zone text;
  ALTER TABLE ledger ADD COLUMN zone text;
  ALTER TABLE run ADD COLUMN zone text;
  ALTER TABLE config_row ADD COLUMN changed_at timestamptz DEFAULT clock_timestamp();
  CREATE TABLE region (name text PRIMARY KEY);
  CREATE FUNCTION flush(p_gateway bigint, p_region text) RETURNS text LANGUAGE sql AS $$ SELECT p_region $$;
  CREATE OR REPLACE FUNCTION live_gateways() RETURNS jsonb
  LANGUAGE sql STABLE SET search_path = weir AS $$
    SELECT coalesce(jsonb_object_agg(id,
      jsonb_build_object('name', name, 'release', release, 'seq', flush_seq, 'zone', zone)), '{}')
    FROM gateway WHERE state = 'live'
  $$;
  INSERT INTO migration (name, run_on) VALUES ('99_next-release', now());
  RESET search_path`;

const describeHere = onSharedStore ? describe.skip : describeWithPostgres;

describeHere("gateways of a release on the database of a later one", () => {
  const database = new TestDatabase();
  const gateways: TestGateway[] = [];
  let client: Client;

  beforeAll(async () => {
    client = await database.connectForAll();
    const first = await start(null);
    await paid(first);
    await client.query(nextRelease);
    await start(first);
  }, 60_000);
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())));

  async function start(known: TestGateway | null): Promise<TestGateway> {
    const config = { store: { type: "postgres", url: { env: "WEIR_MIXED_URL" } } };
    const secrets = known === null ? null : { key: known.key, operatorKey: known.operatorKey };
    const gateway = await startGateway({ config, env: { WEIR_MIXED_URL: database.url } }, secrets);
    gateways.push(gateway);
    return gateway;
  }

  async function paid({ url }: TestGateway, secret = gateways[0]?.key): Promise<number> {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hi" }] }),
    });
    await response.text();
    return response.status;
  }

  test("serve on, the one that ran and the one that is started", async () => {
    for (const gateway of gateways) {
      const keys = new KeysApi(gateway);
      const { id } = await keys.organization(`made at ${gateways.indexOf(gateway)}`);
      const topUp = { amountUsd: "1", idempotencyKey: "first" };
      await keys.data(201, "POST", `orgs/${id}/top-ups`, topUp);
      const { secret, key } = await keys.key({ orgId: id });
      for (const other of gateways) expect(await paid(other, secret)).toBe(200);
      expect((await keys.call("DELETE", `api-keys/${key.id}`)).status).toBeLessThan(300);
      for (const other of gateways) expect(await paid(other, secret)).toBe(401);
      const bundle = await new AuditApi(gateway).text("export.jsonl");
      expect(await verifyAudit([Buffer.from(bundle)], null)).toMatchObject({ ok: true });
    }
  });

  test("take no requests once the database needs a newer one, and say so", async () => {
    await client.query("UPDATE weir.meta SET oldest_release = '99.1.0'");
    const said = `this gateway is of release ${buildIdentity().version}, and the database is of gateways from 99.1.0 on`;
    for (const gateway of gateways) {
      await vi.waitFor(
        async () => expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503),
        { timeout: 30_000, interval: 50 },
      );
      expect(await paid(gateway)).toBe(503);
      await vi.waitFor(() => expect(JSON.stringify(gateway.log)).toContain(said), 30_000);
    }
    await expect(start(gateways[0] ?? null)).rejects.toThrow(said);
  });
});
