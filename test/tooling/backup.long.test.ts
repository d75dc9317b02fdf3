import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { verifyAudit } from "../../scripts/verify/bundle.ts";
import { readCheckpoint } from "../../src/store/audit/checkpoint.ts";
import { consistencyHolds } from "../../src/store/audit/merkle.ts";
import { rootOf } from "../../src/store/audit/merkle-tree.ts";
import { statusWhen, submit } from "../endpoints/batch/batch-client.ts";
import { load, Witness } from "../crash/load.ts";
import { PaidProvider } from "../crash/paid-provider.ts";
import { openedStore, temporaryDirectory } from "../store/temporary-store.ts";
import { AuditApi } from "../support/audit-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";

/** The machine may have others to serve. */
const patient = { timeout: 20_000 };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command in a process of its own, as its users run it. */
function backup(...args: readonly string[]): Promise<Ended> {
  const command = path.join(import.meta.dirname, "../../src/app/backup.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], { env: {} }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

test(
  "a copy of a gateway under load serves on with the same books, keys, log, jobs and content",
  { timeout: 60_000 },
  async () => {
    const folder = temporaryDirectory();
    const [data, copy] = [path.join(folder, "data"), path.join(folder, "backups/1")];
    const provider = await PaidProvider.start();
    onTestFinished(() => provider.close());
    const wires = ["chat", "responses"];
    const account = { type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
    const config = { providers: [{ name: "p", ...account }] };
    const original = await startGateway({ config, env: { GATEWAY_DATA_DIR: data } });
    onTestFinished(() => original.stop());
    const { secret } = await new KeysApi(original).key({ orgId: await demoOrg(original) });
    const job = await submit(original, [{ id: "a", input: "What is the capital of France?" }]);
    const jobEnd = await statusWhen(original, job, ({ status }) => status === "completed");

    const witness = new Witness();
    let isOver = false;
    onTestFinished(() => void (isOver = true));
    const clients = load(original, [original.key, secret], witness, () => isOver);
    await expect.poll(() => witness.promised.length, patient).toBeGreaterThan(30);
    await new AuditApi(original).text("checkpoint");
    const promisedBefore = [...witness.promised];
    expect(await backup(copy, "--data", data)).toMatchObject({ code: 0, stderr: "" });
    const promisedAfter = witness.promised.length;
    await expect.poll(() => witness.promised.length, patient).toBeGreaterThan(promisedAfter + 10);
    isOver = true;
    await clients;

    const copied = await logOf(copy);
    expect(copied.root).toEqual(copied.signedRoot);
    await expectConsistent(original, copied);
    const [leaves, entries] = [await leavesOf(original), await entriesOf(original)];
    const verifierKey = await new AuditApi(original).text("key");

    const env = { GATEWAY_DATA_DIR: copy };
    const restored = await startGateway({ config, env }, { ...original, key: secret });
    onTestFinished(() => restored.stop());
    const found = await entriesOf(restored);
    expect(found.length).toBeGreaterThan(30);
    expect(found).toEqual(entries.slice(-found.length));
    const debited = new Set(found.map(({ requestId }) => requestId));
    expect(promisedBefore.filter(({ requestId }) => !debited.has(requestId))).toEqual([]);
    await expectBalance(restored, found);

    const ours = await leavesOf(restored);
    expect(ours.slice(0, copied.events)).toEqual(leaves.slice(0, copied.events));
    const bundle = await new AuditApi(restored).text("export.jsonl");
    expect(await verifyAudit([Buffer.from(bundle)], verifierKey.trim())).toMatchObject({
      ok: true,
    });

    expect(await statusWhen(restored, job, () => true)).toEqual(jobEnd);
    const { index } = await new AuditApi(restored).eventOf(promisedBefore[0]?.requestId ?? "");
    const event = await new AuditApi(restored).text(`events/${index}?reason=restored`);
    expect(event).toContain("What is the capital of France?");
    const served = new Witness();
    await load(restored, [secret], served, () => served.promised.length >= 3);
    expect([...served.statuses.keys()]).toEqual([200]);
  },
);

test("what was erased is in no byte of a copy, which only its owner can read", async () => {
  const folder = temporaryDirectory();
  const [data, copy] = [path.join(folder, "data"), path.join(folder, "copy")];
  const gateway = await startGateway({ env: { GATEWAY_DATA_DIR: data } });
  onTestFinished(() => gateway.stop());
  for (const input of ["to be forgotten", "to be kept"]) {
    const response = await fetch(`${gateway.url}/v1/security/scan`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ input }),
    });
    expect(response.status).toBe(200);
    const audit = new AuditApi(gateway);
    const { index } = await audit.eventOf(response.headers.get("x-svc-request-id") ?? "");
    if (input === "to be forgotten") {
      expect((await audit.call(`events/${index}/content`, "DELETE")).status).toBe(204);
    } else {
      await expect
        .poll(() => audit.json(`events/${index}`))
        .not.toMatchObject({
          data: { content: null },
        });
    }
  }
  expect(await backup(copy, "--data", data)).toMatchObject({ code: 0 });
  const bytes = readFileSync(path.join(copy, "content.mdb"));
  expect([bytes.includes("to be forgotten"), bytes.includes("to be kept")]).toEqual([false, true]);
  const modes = ["", "weir.mdb", "content.mdb"].map((name) => statSync(path.join(copy, name)).mode);
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
});

test("a stopped gateway is copied too, and a copy of a copy is the same", async () => {
  const folder = temporaryDirectory();
  const [data, first, second] = ["data", "1", "2"].map((name) => path.join(folder, name));
  const gateway = await startGateway({ env: { GATEWAY_DATA_DIR: data ?? "" } });
  await gateway.stop();
  expect(await backup(first ?? "", "--data", data ?? "")).toMatchObject({ code: 0 });
  expect(readdirSync(first ?? "").toSorted()).toEqual(["content.mdb", "weir.mdb"]);
  const copied = await logOf(first ?? "");
  expect(await backup(second ?? "", "--data", first ?? "")).toMatchObject({ code: 0 });
  expect(await logOf(second ?? "")).toEqual(copied);
});

test("a target that is there, a store that is not and a call with none of them leave nothing behind", async () => {
  const folder = temporaryDirectory();
  const [data, there, broken, halfBroken, copy] = [
    "data",
    "there",
    "broken",
    "half broken",
    "copy",
  ].map((name) => path.join(folder, name));
  const gateway = await startGateway({ env: { GATEWAY_DATA_DIR: data ?? "" } });
  onTestFinished(() => gateway.stop());
  for (const one of [there, broken]) mkdirSync(one ?? "");
  writeFileSync(path.join(broken ?? "", "weir.mdb"), "no database ".repeat(1_000));
  expect(await backup(halfBroken ?? "", "--data", data ?? "")).toMatchObject({ code: 0 });
  writeFileSync(path.join(halfBroken ?? "", "content.mdb"), "no database ".repeat(1_000));
  const refusals = [
    [1, "is there already", there, "--data", data],
    [1, "no gateway's store", copy, "--data", there],
    [1, "no LMDB database", copy, "--data", broken],
    [1, "no LMDB database", copy, "--data", halfBroken],
    [2, "npm run backup", copy, "more"],
    [2, "npm run backup", copy, "--what"],
    [2, "npm run backup"],
  ] as const;
  for (const [code, said, ...args] of refusals) {
    const refused = await backup(...args.map((one) => one ?? ""));
    expect(refused.stderr).toContain(said);
    expect(refused.code).toBe(code);
  }
  expect([existsSync(copy ?? ""), existsSync(`${copy ?? ""}.partial`)]).toEqual([false, false]);
});

interface CopiedLog {
  readonly events: number;
  /** Events that the newest checkpoint covers. */
  readonly size: number;
  readonly signedRoot: string | undefined;
  /** Of so many events, as the tree has it. */
  readonly root: string;
}

async function logOf(dataDir: string): Promise<CopiedLog> {
  const store = await openedStore(dataDir);
  const { meta, checkpoints, tiles } = store.journal;
  const [newest] = checkpoints.getRange({ reverse: true, limit: 1 });
  const { size, note } = { size: newest?.key ?? 0, note: newest?.value ?? "" };
  const copied = {
    events: meta.get("eventCount") ?? 0,
    size,
    signedRoot: note === "" ? undefined : note.split("\n")[2],
    root: rootOf(tiles, size).toString("base64"),
  };
  await store.close();
  return copied;
}

/** The original's checkpoint of now continues the one that was copied. */
async function expectConsistent(gateway: TestGateway, { size, root }: CopiedLog): Promise<void> {
  const audit = new AuditApi(gateway);
  const key = (await audit.text("key")).trim();
  const now = readCheckpoint(await audit.text("checkpoint"), key);
  if (now === null) throw new Error("the checkpoint is not signed");
  const proof = (await audit.json(`consistency?first=${size}&second=${now.size}`)) as {
    readonly hashes: readonly string[];
  };
  const hashes = proof.hashes.map((hash) => Buffer.from(hash, "base64"));
  const holds = consistencyHolds(size, now.size, hashes, Buffer.from(root, "base64"), now.root);
  expect([now.size > size, holds]).toEqual([true, true]);
}

async function leavesOf(gateway: TestGateway): Promise<readonly string[]> {
  const bundle = await new AuditApi(gateway).text("export.jsonl");
  return bundle.trimEnd().split("\n").slice(1);
}

async function demoOrg(gateway: TestGateway): Promise<string> {
  const { body } = await new KeysApi(gateway).call("GET", "orgs");
  return (body?.["data"] as readonly Row[])[0]?.id ?? "";
}

/** Newest first. */
async function entriesOf(gateway: TestGateway): Promise<readonly Row[]> {
  const org = await demoOrg(gateway);
  const entries: Row[] = [];
  let cursor: unknown = "";
  do {
    const more = cursor === "" ? "" : `&cursor=${String(cursor)}`;
    const { body } = await new KeysApi(gateway).call("GET", `orgs/${org}/ledger?limit=1000${more}`);
    entries.push(...(body?.["data"] as readonly Row[]));
    cursor = body?.["nextCursor"] ?? null;
  } while (cursor !== null);
  return entries;
}

/** The balance is what the entries make, and nothing is held any more. */
async function expectBalance(gateway: TestGateway, entries: readonly Row[]): Promise<void> {
  const micro = entries.reduce((sum, { type, amountUsd }) => {
    const amount = Math.round(Number(amountUsd) * 1e6);
    return type === "debit" ? sum - amount : sum + amount;
  }, 0);
  const balanceUsd = (micro / 1e6).toFixed(6);
  const { body } = await new KeysApi(gateway).call("GET", `orgs/${await demoOrg(gateway)}/balance`);
  expect(body).toMatchObject({ balanceUsd, availableUsd: balanceUsd, holds: 0 });
}
