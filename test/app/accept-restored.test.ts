import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { readCheckpoint } from "../../src/store/audit/checkpoint.ts";
import { consistencyHolds } from "../../src/store/audit/merkle.ts";
import { acceptRestored, type Restored } from "../../src/store/shared/restored.ts";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { onSharedStore } from "../support/shared-database.ts";

const describeHere = onSharedStore ? describe.skip : describeWithPostgres;

describeHere("a database that was restored from an older copy", () => {
  const database = new TestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "weir-restored-"));
  const dataDir = join(folder, "first");
  let secrets: Pick<TestGateway, "key" | "operatorKey">;
  let org: { readonly id: string; readonly key: string; readonly secret: string };
  let lostLines: string[];
  let older: { readonly key: string; readonly bundle: string; readonly checkpoint: string };
  let restored: Restored;

  beforeAll(async () => {
    const first = await start(dataDir, null);
    secrets = { key: first.key, operatorKey: first.operatorKey };
    org = await organization(first);
    expect(await paid(first)).toBe(200);
    const audit = new AuditApi(first);
    older = {
      key: (await audit.text("key")).trim(),
      bundle: await audit.text("export.jsonl"),
      checkpoint: await audit.text("checkpoint"),
    };
    await first.stop();
    await copyDatabase(nameOf(database.url), copyName);
    const again = await start(dataDir);
    const topUp = { amountUsd: "2", idempotencyKey: "lost" };
    await new KeysApi(again).data(201, "POST", `orgs/${org.id}/top-ups`, topUp);
    expect(await paid(again)).toBe(200);
    const revoked = await new KeysApi(again).call("DELETE", `api-keys/${org.key}`);
    expect(revoked.status).toBeLessThan(300);
    expect(await new AuditApi(again).text("checkpoint")).toContain("weir-");
    await again.stop();
    await copyDatabase(copyName, nameOf(database.url));
  }, 60_000);
  afterAll(async () => {
    await onServer(`DROP DATABASE IF EXISTS ${copyName} WITH (FORCE)`);
    rmSync(folder, { recursive: true, force: true });
  });

  const copyName = `${nameOf(database.url)}_copy`;

  function nameOf(url: string): string {
    return new URL(url).pathname.slice(1);
  }

  async function onServer(...commands: readonly string[]): Promise<void> {
    const url = new URL(database.url);
    url.pathname = "/postgres";
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      for (const command of commands) await client.query(command);
    } finally {
      await client.end();
    }
  }

  /** As an operator copies one: nobody may be connected. */
  function copyDatabase(from: string, to: string): Promise<void> {
    return onServer(
      `DROP DATABASE IF EXISTS ${to} WITH (FORCE)`,
      `CREATE DATABASE ${to} TEMPLATE ${from}`,
    );
  }

  function start(
    directory: string,
    known: Pick<TestGateway, "key" | "operatorKey"> | null = secrets,
  ): Promise<TestGateway> {
    const config = { store: { type: "postgres", url: { env: "WEIR_RESTORED_URL" } } };
    const env = { WEIR_RESTORED_URL: database.url, GATEWAY_DATA_DIR: directory };
    return startGateway({ config, env }, known);
  }

  async function organization(gateway: TestGateway) {
    const keys = new KeysApi(gateway);
    const { id } = await keys.organization("acme");
    const topUp = { amountUsd: "1", idempotencyKey: "first" };
    await keys.data(201, "POST", `orgs/${id}/top-ups`, topUp);
    const { key, secret } = await keys.key({ orgId: id });
    return { id, key: key.id, secret };
  }

  async function paid({ url }: TestGateway): Promise<number> {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${org.secret}` },
      body: JSON.stringify({ model: "demo/echo", messages: [{ role: "user", content: "hi" }] }),
    });
    await response.text();
    return response.status;
  }

  function accept(directory: string | null): Promise<Restored> {
    lostLines = [];
    const lost = (line: string) => lostLines.push(line);
    return acceptRestored({ url: database.url, dataDir: directory, lost });
  }

  test("is served by no gateway that knows of more", async () => {
    await expect(start(dataDir)).rejects.toThrow(/went back in time.*npm run accept-restored/);
  });

  test("is not accepted while a gateway is connected, or with a directory that tells nothing", async () => {
    const client = new Client({ connectionString: database.url, application_name: "weir" });
    await client.connect();
    await expect(accept(dataDir)).rejects.toThrow(/Gateways are connected .*1 connections/);
    await client.end();
    await expect(accept(join(folder, "none"))).rejects.toThrow(/no gateway's store/);
  });

  test("goes on under another name, and it is told what was lost", async () => {
    restored = await accept(dataDir);
    const { oldName, newName, oldVerifierKey, lost } = restored;
    expect(newName).not.toBe(oldName);
    expect(oldVerifierKey).toBe(older.key);
    expect(lost?.keys).toEqual([org.key]);
    expect(lost?.changes).toBeGreaterThanOrEqual(1);
    expect(lost?.toppedUpUsd).toBe("2.000000");
    expect(Number(lost?.debitedUsd)).toBeGreaterThan(0);
    expect(lost?.byType.get("request.completed")).toBe(1);
    expect(lost?.byType.get("payg.debit.applied")).toBe(1);
    expect(lostLines).toHaveLength(lost?.events ?? 0);
  });

  test("is served by gateways that begin anew, with what it has", async () => {
    await expect(start(dataDir)).rejects.toThrow(/use an empty directory/);
    const directory = join(folder, "second");
    const gateway = await start(directory);
    try {
      expect(await paid(gateway)).toBe(200);
      const { body } = await new KeysApi(gateway).call("GET", `orgs/${org.id}/ledger`);
      const entries = body?.["data"] as readonly { readonly idempotencyKey: string }[];
      expect(entries.map(({ idempotencyKey }) => idempotencyKey)).not.toContain("lost");
      const audit = new AuditApi(gateway);
      const key = (await audit.text("key")).trim();
      expect(key).toMatch(new RegExp(`^${restored.newName}\\+`));
      const bundle = await verifyAudit([Buffer.from(await audit.text("export.jsonl"))], key);
      expect(bundle).toMatchObject({ ok: true });
      // What was proven before the copy was made is in the tree still, and verifies under the old name.
      expect(await verifyAudit([Buffer.from(older.bundle)], older.key)).toMatchObject({ ok: true });
      const then = readCheckpoint(older.checkpoint, older.key);
      const now = readCheckpoint(await audit.text("checkpoint"), key);
      if (then === null || now === null) throw new Error("a checkpoint does not verify");
      const { hashes } = (await audit.json(
        `consistency?first=${then.size}&second=${now.size}`,
      )) as { readonly hashes: readonly string[] };
      const path = hashes.map((hash) => Buffer.from(hash, "base64"));
      expect(consistencyHolds(then.size, now.size, path, then.root, now.root)).toBe(true);
      const [event] = await audit.events("event_type=log.restored&");
      expect(event?.data).toMatchObject({
        previous_verifier_key: older.key,
        size: restored.events,
      });
    } finally {
      await gateway.stop();
    }
    await expect(accept(directory)).rejects.toThrow(/has everything that this directory has/);
  });
});
