import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { signalRepeatMsMax } from "../../src/contract/limits.ts";
import { PaidProvider } from "../crash/paid-provider.ts";
import { startProcess, type GatewayProcess } from "../support/gateway-process.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";

/* The built gateway with two proxy threads. */

const operatorKey = `sk-gw-${"7".repeat(48)}`;
const started: { readonly gateway: GatewayProcess; readonly provider: PaidProvider }[] = [];

async function boot(env: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
  const provider = await PaidProvider.start();
  const account = { type: "openai", baseUrl: provider.origin, wires: ["chat"], models: ["m"] };
  const gateway = await startProcess({
    config: { providers: [{ name: "p", ...account }] },
    env: { GATEWAY_OPERATOR_KEY: operatorKey, GATEWAY_PROXY_THREADS: "2", ...env },
  });
  started.push({ gateway, provider });
  return gateway;
}

afterEach(async () => {
  for (const { gateway, provider } of started.splice(0)) {
    gateway.child.kill("SIGKILL");
    await gateway.exit;
    await provider.close();
    rmSync(gateway.folder, { recursive: true, force: true });
  }
});

async function provision(api: KeysApi, amountUsd: string) {
  const { id } = await api.data(201, "POST", "orgs", { name: "a", plan: "paid" });
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd, idempotencyKey: "first" });
  return { id, ...(await api.key({ orgId: id })) };
}

/** The newest first: all of them, or no more than one page. */
async function entriesOf(api: KeysApi, id: string, limit: 1 | 1_000): Promise<readonly Row[]> {
  const entries: Row[] = [];
  let cursor: unknown = null;
  do {
    const more: string = typeof cursor === "string" ? `&cursor=${cursor}` : "";
    const { body } = await api.call("GET", `orgs/${id}/ledger?limit=${limit}${more}`);
    entries.push(...(body?.["data"] as Row[]));
    cursor = body?.["nextCursor"];
  } while (typeof cursor === "string" && limit > 1);
  return entries;
}

interface Seen {
  /** What answers in JSON said that they cost, by request. */
  readonly promised: Map<string, string>;
  readonly statuses: Map<number, number>;
  aborted: number;
}

/** One request; every third stream is left after its first bytes. */
async function ask(url: string, secret: string, turn: number, seen: Seen): Promise<void> {
  const stream = turn % 2 === 0;
  const leaves = turn % 6 === 0;
  const abort = new AbortController();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    // A connection of its own, so that both threads are asked.
    headers: { authorization: `Bearer ${secret}`, connection: "close" },
    body: JSON.stringify({
      model: "p/m",
      max_tokens: 100,
      stream,
      messages: [{ role: "user", content: "What is the capital of France?" }],
    }),
    signal: abort.signal,
  });
  const { headers, status } = response;
  seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
  const cost = headers.get("x-svc-cost-usd") ?? "0";
  if (headers.has("x-svc-payg-debited-cents") && Number(cost) > 0) {
    seen.promised.set(headers.get("x-svc-request-id") ?? "", cost);
  }
  if (leaves) {
    seen.aborted += 1;
    abort.abort();
  }
  await response.text().catch(() => "");
}

test(
  "books square after JSON, streams and clients that leave, on both threads at once",
  { timeout: 120_000 },
  async () => {
    const gateway = await boot({ GATEWAY_LOG_LEVEL: "error" });
    const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
    const { id, secret } = await provision(api, "0.05");
    const seen: Seen = { promised: new Map(), statuses: new Map(), aborted: 0 };
    let turn = 0;
    const client = async (): Promise<void> => {
      while (turn < 1_500) await ask(gateway.url, secret, turn++, seen);
    };
    // Meanwhile money comes in, in the main thread.
    const topUps = async (): Promise<void> => {
      for (let i = 0; i < 10; i += 1) {
        const topUp = { amountUsd: "0.01", idempotencyKey: `more-${i}` };
        await api.data(201, "POST", `orgs/${id}/top-ups`, topUp);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.all([...Array.from({ length: 48 }, client), topUps()]);
    expect(seen.promised.size).toBeGreaterThan(100);
    expect(seen.aborted).toBeGreaterThan(10);
    for (const status of seen.statuses.keys()) expect([200, 402, 429]).toContain(status);

    const balance = async () => (await api.call("GET", `orgs/${id}/balance`)).body;
    await expect.poll(balance, { timeout: 20_000 }).toMatchObject({ holds: 0 });
    // What is told of the balance at once is in the ledger a flush later.
    const left = String((await balance())?.["balanceUsd"]);
    const newest = async () => (await entriesOf(api, id, 1))[0]?.["balanceAfterUsd"];
    await expect.poll(newest).toBe(left);
    const entries = await entriesOf(api, id, 1_000);
    // Without a gap, each balance the one before and its amount, never below zero.
    expect(entries.map((entry) => Number(entry.id))).toEqual(
      entries.map((_, i) => entries.length - i),
    );
    let micro = 0;
    for (const { type, amountUsd, balanceAfterUsd } of entries.toReversed()) {
      micro += Math.round(Number(amountUsd) * 1e6) * (type === "debit" ? -1 : 1);
      expect(micro).toBeGreaterThanOrEqual(0);
      expect(balanceAfterUsd).toBe((micro / 1e6).toFixed(6));
    }
    expect((micro / 1e6).toFixed(6)).toBe(left);
    expect(await balance()).toMatchObject({ balanceUsd: left, availableUsd: left, holds: 0 });
    const debits = new Map(
      entries
        .filter(({ type }) => type === "debit")
        .map(({ requestId, amountUsd }) => [String(requestId), String(amountUsd)]),
    );
    const lost = [...seen.promised].filter(([request, cost]) => debits.get(request) !== cost);
    expect(lost).toEqual([]);
    // Every answer that was 200 has cost something, whether or not its client stayed.
    expect(debits.size).toBe(seen.statuses.get(200));
  },
);

test("SIGTERM lets the streams of both threads finish, and ends with 0", async () => {
  const gateway = await boot();
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  const { secret } = await provision(api, "1");
  const opened = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, connection: "close" },
        body: '{"model":"p/m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}',
      }),
    ),
  );
  gateway.child.kill("SIGTERM");
  const texts = await Promise.all(opened.map((response) => response.text()));
  expect(texts.filter((text) => text.endsWith("data: [DONE]\n\n"))).toHaveLength(20);
  expect(await gateway.exit).toBe(0);
});

/** As many that stay open, so that each thread has one. */
async function connections(url: string, count: number): Promise<readonly Socket[]> {
  const one = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("data", () => resolve(socket));
      socket.write("GET /version HTTP/1.1\r\nHost: a\r\n\r\n");
    });
  return Promise.all(Array.from({ length: count }, one));
}

test("a later SIGTERM ends the process at once, with 1", { timeout: 60_000 }, async () => {
  const gateway = await boot();
  const api = new KeysApi({ keysUrl: gateway.keysUrl, operatorKey });
  const { secret } = await provision(api, "1");
  await connections(gateway.url, 4);
  const body = '{"model":"p/m","stream":true,"max_tokens":9,"messages":[]}';
  const head = `Host: a\r\nAuthorization: Bearer ${secret}\r\nContent-Length: ${body.length + 1}`;
  const unfinished = await connections(gateway.url, 2);
  for (const socket of unfinished) {
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  }
  gateway.child.kill("SIGTERM");
  await expect.poll(gateway.output, { timeout: 20_000 }).toContain('"draining"');
  // Until then it would be the same wish.
  await new Promise((resolve) => setTimeout(resolve, signalRepeatMsMax + 500));
  gateway.child.kill("SIGTERM");
  expect(await gateway.exit).toBe(1);
});

describe("a thread that dies takes the process with it", () => {
  test.each([
    ["throws", "throw new Error('out of nothing')", 1],
    ["ends", "process.exit(0)", 1],
    // Node aborts, as where there is one thread.
    ["runs out of memory", "const all = []; for (;;) all.push(new Array(1e6).fill({}))", null],
  ])("%s", { timeout: 60_000 }, async (_, fault, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "weir-fault-"));
    const wound = join(folder, "wound.mjs");
    const sign = join(folder, "now");
    writeFileSync(
      wound,
      `import { existsSync } from "node:fs";
       import { isMainThread, resourceLimits, workerData } from "node:worker_threads";
       if (!isMainThread && workerData?.handedOver !== undefined) {
         setInterval(() => { if (existsSync(${JSON.stringify(sign)})) { ${fault} } }, 20);
       }`,
    );
    const heap = "--max-old-space-size=256";
    const gateway = await boot({ NODE_OPTIONS: `${heap} --import ${wound}` });
    await connections(gateway.url, 4);
    writeFileSync(sign, "");
    expect(await gateway.exit).toBe(expected);
    if (expected === 1) expect(gateway.output()).toContain("the process can't go on");
    rmSync(folder, { recursive: true, force: true });
  });
});
