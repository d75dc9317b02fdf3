import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { windowsOf } from "../../src/app/move-to-postgres.ts";
import type { AuditProof } from "../../src/contract/audit-api.ts";
import { readCheckpoint } from "../../src/store/audit/checkpoint.ts";
import { consistencyHolds } from "../../src/store/audit/merkle.ts";
import { lockDataDirectory } from "../../src/store/embedded/files/data-directory.ts";
import { moveToPostgres, type Moved } from "../../src/store/shared/move.ts";
import { ended, statusOf, submit } from "../endpoints/batch/batch-client.ts";
import { assertSquare } from "../store/shared/reads.ts";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type GatewayOptions, type TestGateway } from "../support/gateway.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { onSharedStore } from "../support/shared-database.ts";

/** What an organization's own key sees and does. */
class Tenant {
  readonly gateway: TestGateway;
  readonly secret: string;

  constructor(gateway: TestGateway, secret: string) {
    this.gateway = gateway;
    this.secret = secret;
  }

  post(path: string, body: object): Promise<Response> {
    return fetch(this.gateway.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.secret}` },
      body: JSON.stringify(body),
    });
  }

  chat(content: string): Promise<Response> {
    return this.post("/v1/chat/completions", {
      model: "p/m",
      messages: [{ role: "user", content }],
      max_tokens: 10,
    });
  }

  ask(more: object): Promise<Response> {
    return this.post("/v1/responses", {
      model: "p/m",
      input: "hi",
      max_output_tokens: 10,
      ...more,
    });
  }
}

const chatAnswer = {
  id: "chat_1",
  object: "chat.completion",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
  usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
};
const responsesAnswer = {
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  output: [],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

/** What is to be the same before and after. */
interface Seen {
  readonly lists: readonly unknown[];
  readonly ledger: readonly Row[];
  readonly events: readonly unknown[];
  readonly content: unknown;
  readonly job: unknown;
}

const describeMove = onSharedStore ? describe.skip : describeWithPostgres;

describeMove("a gateway that was moved to PostgreSQL", () => {
  const database = new TestDatabase();
  const folder = mkdtempSync(join(tmpdir(), "weir-moved-"));
  const dataDir = join(folder, "data");
  const lines: string[] = [];
  let provider: ScriptedProvider;
  let options: GatewayOptions;
  let secrets: Pick<TestGateway, "key" | "operatorKey">;
  let org: { readonly id: string; readonly secret: string; readonly job: string };
  let openJob: string;
  let before: Seen;
  let auditBefore: {
    readonly key: string;
    readonly bundle: string;
    readonly proof: AuditProof;
    readonly checkpoint: string;
  };
  let cookie: readonly [name: string, value: string];
  let moved: Moved;
  /** Of usage limits and budgets, after the move. */
  let used: ReadonlyMap<string, number>;
  let gateways: readonly TestGateway[] = [];

  beforeAll(async () => {
    provider = await ScriptedProvider.start();
    const wires = ["chat", "messages", "responses"];
    const account = { name: "p", type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
    options = {
      config: { providers: [account], network: { allowedInternalHosts: ["127.0.0.1"] } },
    };
    const one = await startGateway({ ...options, env: { GATEWAY_DATA_DIR: dataDir } });
    secrets = { key: one.key, operatorKey: one.operatorKey };
    org = await use(one);
    before = await seenAt(one);
    const audit = new AuditApi(one);
    const [first] = await audit.events(`orgId=${org.id}&`);
    auditBefore = {
      key: await audit.text("key"),
      bundle: await audit.text("export.jsonl"),
      proof: await audit.proof(first?.index ?? 0),
      checkpoint: await audit.text("checkpoint"),
    };
    // Some of these have not ended when it stops.
    const items = Array.from({ length: 300 }, (_, i) => ({ id: `${i}`, input: `to scan ${i}` }));
    openJob = await submit({ url: one.url, key: org.secret }, items);
    await one.stop();
    moved = await move();
    const client = await database.connect();
    const { rows } = await client.query<{ id: string; used: string }>("SELECT * FROM weir.cap");
    used = new Map(rows.map((row) => [row.id, Number(row.used)]));
    gateways = [await shared(), await shared()];
  }, 60_000);
  afterAll(async () => {
    await Promise.all(gateways.map((one) => one.stop()));
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function move(): Promise<Moved> {
    const log = (line: string) => lines.push(line);
    return moveToPostgres({ url: database.url, dataDir, windowsOf, log });
  }

  function shared(): Promise<TestGateway> {
    const store = { type: "postgres", url: { env: "WEIR_MOVED_URL" } };
    const config = { ...(options.config as object), store };
    return startGateway({ config, env: { WEIR_MOVED_URL: database.url } }, secrets);
  }

  async function use(gateway: TestGateway) {
    const keys = new KeysApi(gateway);
    const { id } = await keys.organization("acme", { retentionDays: 7 });
    const topUp = { amountUsd: "5", idempotencyKey: "first" };
    await keys.data(201, "POST", `orgs/${id}/top-ups`, topUp);
    const correction = { amountUsd: "-0.5", idempotencyKey: "second" };
    await keys.data(201, "POST", `orgs/${id}/corrections`, correction);
    const limit = { orgId: id, name: "cap", limitType: "requests", timeWindow: "1 month" };
    await keys.data(201, "POST", "usage-limits", { ...limit, threshold: "100" });
    const entities = [{ category: "pii", action: "redact", direction: "input" }];
    const pattern = { name: "zero", regex: "\u0000", direction: "input", action: "flag" };
    const customPatterns = [pattern];
    await keys.data(201, "POST", "policies", {
      orgId: id,
      name: "strict",
      entities,
      customPatterns,
    });
    const team = { name: "blue", budget: { usd: "1", window: "1 day" } };
    const { secret } = await keys.key({ orgId: id, team });
    const { key: gone } = await keys.key({ orgId: id, name: "gone" });
    expect((await keys.call("DELETE", `api-keys/${gone.id}`)).status).toBeLessThan(300);
    const tenant = new Tenant(gateway, secret);
    provider.script = { json: chatAnswer };
    for (let i = 0; i < 5; i += 1) expect((await tenant.chat(`hello ${i}`)).status).toBe(200);
    provider.script = { json: responsesAnswer };
    expect((await tenant.ask({})).status).toBe(200);
    const caller = { url: gateway.url, key: secret };
    const item = (i: number) => ({ id: `item ${i}`, input: `to scan ${i}` });
    const job = await submit(caller, [item(1), item(2)]);
    await ended(caller, job);
    const opened = await fetch(`${gateway.keysUrl}/api/v1/gateway/sessions`, {
      method: "POST",
      body: JSON.stringify({ key: gateway.operatorKey }),
    });
    expect(opened.status).toBe(201);
    const { data } = (await opened.json()) as { readonly data: { readonly token: string } };
    cookie = [(opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "", data.token];
    return { id, secret, job };
  }

  async function seenAt(gateway: TestGateway): Promise<Seen> {
    const keys = new KeysApi(gateway);
    const audit = new AuditApi(gateway);
    const list = async (path: string): Promise<unknown> => (await keys.call("GET", path)).body;
    const all = await audit.events(`orgId=${org.id}&`);
    const events = all.filter(({ event_type: type }) => type === "request.completed");
    const shown = await audit.json(`events/${events.at(-1)?.index}?reason=test`);
    const { content } = (shown as { readonly data: { readonly content: unknown } }).data;
    const lists = await Promise.all(
      ["orgs", "api-keys", "usage-limits", "policies"].map(async (path) => {
        const { data } = (await list(`${path}?limit=100`)) as { readonly data: readonly Row[] };
        // The last use is written a minute later, and the file's policy is made at each start.
        return data
          .filter(({ id }) => id !== "default")
          .map((row) => ({ ...row, lastUsedAt: null }));
      }),
    );
    const { data } = (await list(`orgs/${org.id}/ledger?limit=1000`)) as { readonly data: Row[] };
    const job = await statusOf({ url: gateway.url, key: org.secret }, org.job);
    return { lists, ledger: data, events, content, job };
  }

  test("says what was compared", () => {
    expect(moved.isNew).toBe(true);
    const compared = new Map(moved.compared);
    expect(compared.get("accounts")).toBe("2");
    expect(Number(compared.get("readable contents"))).toBeGreaterThanOrEqual(6);
    expect(Number(compared.get("windows with usage"))).toBe(2);
    const [requests, team] = [...used].sort(([one], [other]) => one.localeCompare(other));
    expect(requests).toEqual([expect.stringMatching(/ requests 1 month$/), 6]);
    // A micro-dollar each token of input, and two of output.
    expect(team?.[0]).toBe(`team ${org.id} blue day`);
    expect(team?.[1]).toBeGreaterThanOrEqual(5_103);
    expect(lines.join("\n")).toContain("1 ids of stored responses, 2 batch jobs");
  });
  test("every list, ledger, event, content and job is the same at both gateways", async () => {
    for (const gateway of gateways) {
      const seen = await seenAt(gateway);
      expect(seen.lists).toEqual(before.lists);
      const known = new Set(before.ledger.map(({ id }) => id));
      expect(seen.ledger.filter(({ id }) => known.has(id))).toEqual(before.ledger);
      expect(seen.events).toEqual(before.events);
      expect(seen.content).toEqual(before.content);
      expect(seen.content).not.toBeNull();
      expect(seen.job).toEqual(before.job);
    }
  });

  test("what was proven before is proven now, in the same tree", async () => {
    const { key, bundle, proof, checkpoint } = auditBefore;
    expect(await verifyAudit([Buffer.from(bundle)], key.trim())).toMatchObject({ ok: true });
    const old = readCheckpoint(checkpoint, key.trim());
    for (const gateway of gateways) {
      const audit = new AuditApi(gateway);
      expect(await audit.text("key")).toBe(key);
      const now = readCheckpoint(await audit.text("checkpoint"), key.trim());
      if (old === null || now === null) throw new Error("a checkpoint does not verify");
      expect(now.size).toBeGreaterThan(old.size);
      const { hashes } = (await audit.json(`consistency?first=${old.size}&second=${now.size}`)) as {
        readonly hashes: readonly string[];
      };
      const path = hashes.map((hash) => Buffer.from(hash, "base64"));
      expect(consistencyHolds(old.size, now.size, path, old.root, now.root)).toBe(true);
      const again = await audit.proof(proof.index);
      expect(again.leafData).toBe(proof.leafData);
      const whole = await verifyAudit([Buffer.from(await audit.text("export.jsonl"))], key.trim());
      expect(whole).toMatchObject({ ok: true });
    }
  });

  test("requests are paid and numbered on, jobs end, stored responses and sessions are known", async () => {
    const [one, other] = gateways;
    if (one === undefined || other === undefined) throw new Error("no gateway");
    const caller = { url: other.url, key: org.secret };
    const { counts } = await ended(caller, openJob);
    expect(counts).toMatchObject({ completed: 300 });
    provider.script = { json: chatAnswer };
    for (const gateway of gateways) {
      expect((await new Tenant(gateway, org.secret).chat("hello again")).status).toBe(200);
    }
    provider.script = { json: responsesAnswer };
    const tenant = new Tenant(other, org.secret);
    expect((await tenant.ask({ previous_response_id: "resp_1" })).status).toBe(200);
    expect((await tenant.ask({ previous_response_id: "resp_2" })).status).toBe(404);
    const session = await fetch(`${one.keysUrl}/api/v1/gateway/orgs`, {
      headers: { cookie: cookie[0], "x-svc-session": cookie[1] },
    });
    expect(session.status).toBe(200);
    const client = await database.connect();
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
    await assertSquare(client, (lines) => zstdDecompressSync(lines).toString());
  });

  test("nobody serves from the directory any more, and the move is not repeated", async () => {
    const fault = /was moved to PostgreSQL.*moved-to-postgres\.txt/s;
    const again = startGateway({ ...options, env: { GATEWAY_DATA_DIR: dataDir } }, secrets);
    await expect(again).rejects.toThrow(fault);
    expect((await move()).isNew).toBe(false);
    rmSync(join(dataDir, "moved-to-postgres.txt"));
    const running = lockDataDirectory(dataDir);
    await expect(move()).rejects.toThrow(/in use by process/);
    if (running.ok) running.value.release();
    expect(existsSync(join(dataDir, "weir.mdb"))).toBe(true);
  });
});
