import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ended, postBatch } from "../endpoints/batch/batch-client.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { namedEvent } from "../support/wires.ts";
import { ScriptedProvider, type Script } from "../support/scripted-provider.ts";

/*
 * Two proxy threads answer as one gateway: what is limited, changed, counted or kept for one is so for
 * the other. Connections are handed out in turn, so that fresh ones reach both.
 */

let provider: ScriptedProvider;
let gateway: TestGateway;
let api: KeysApi;

beforeAll(async () => {
  provider = await ScriptedProvider.start();
  const wires = ["chat", "responses"];
  const account = { type: "openai", baseUrl: provider.origin, wires, models: ["m"] };
  gateway = await startGateway({
    config: { providers: [{ name: "p", ...account }] },
    env: { GATEWAY_PROXY_THREADS: "2" },
  });
  api = new KeysApi(gateway);
});

beforeEach(() => {
  provider.script = chatAnswer;
});

afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const chatAnswer: Script = {
  json: { id: "c", choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
};

interface Answered {
  readonly status: number;
  readonly id: string;
  /** Of the thread that answered: each makes request ids with a beginning of its own. */
  readonly thread: string;
  readonly body: string;
}

/**
 * One request on a connection of its own. A busy machine's gateway refuses what it can't serve in time; such a request
 * has counted nowhere, and is sent again.
 */
async function ask(
  secret: string,
  path = "/v1/chat/completions",
  method = "POST",
  body = question,
): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answered = await askOnce(secret, path, method, body);
    if (answered.status !== 503 || tries === 50) return answered;
    await new Promise((again) => setTimeout(again, 100));
  }
}

function askOnce(secret: string, path: string, method: string, body: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(gateway.url + path, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.on("data", (bytes: Buffer) => (text += bytes.toString()));
      response.on("end", () => {
        const id = String(response.headers["x-svc-request-id"]);
        const thread = id.slice(0, id.lastIndexOf("-"));
        resolve({ status: response.statusCode ?? 0, id, thread, body: text });
      });
    });
    request.end(method === "POST" ? body : undefined);
  });
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const question = JSON.stringify({
  model: "p/m",
  max_tokens: 10,
  messages: [{ role: "user", content: "What is the capital of France?" }],
});

const times = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one));

function counted<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

let organizations = 0;
async function organization(more: object = {}, amountUsd = "10") {
  organizations += 1;
  const name = `threads ${organizations}`;
  const { id } = await api.data(201, "POST", "orgs", { name, plan: "paid", ...more });
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd, idempotencyKey: "first" });
  return { id, ...(await api.key({ orgId: id })) };
}

test("connections are handed out in turn", async () => {
  const { secret } = await organization();
  const answers: Answered[] = [];
  for (let i = 0; i < 20; i += 1) answers.push(await ask(secret));
  expect([...counted(answers.map(({ thread }) => thread)).values()]).toEqual([10, 10]);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
});

describe("limits are exact over both threads", () => {
  test("a rate limit admits no more and no less", async () => {
    const { secret } = await organization({ rateLimit: 40 });
    const answers = await times(120, () => ask(secret));
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
    const statuses = counted(answers.map(({ status }) => status));
    expect(Object.fromEntries(statuses)).toEqual({ 200: 40, 429: 80 });
  });

  test("a usage limit admits no more and no less", async () => {
    const { id, secret } = await organization();
    const limit = { limitType: "requests", threshold: "30", timeWindow: "1 hour" };
    await api.data(201, "POST", "usage-limits", { orgId: id, name: "l", ...limit });
    const answers = await times(90, () => ask(secret));
    const statuses = counted(answers.map(({ status }) => status));
    expect(Object.fromEntries(statuses)).toEqual({ 200: 30, 429: 60 });
  });

  test("a balance is never overspent", async () => {
    // A request costs 3 micro-dollars; below a cent nothing is served any more.
    const { id, secret } = await organization({}, "0.010100");
    const answers = await times(200, () => ask(secret));
    const served = answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThan(0);
    await expect
      .poll(async () => (await api.call("GET", `orgs/${id}/balance`)).body)
      .toMatchObject({ holds: 0 });
    const { body } = await api.call("GET", `orgs/${id}/ledger?limit=1000`);
    const entries = body?.["data"] as readonly Record<string, string>[];
    const debits = entries.filter(({ type }) => type === "debit");
    expect(debits).toHaveLength(served);
    expect(entries.map((entry) => entry["id"])).toEqual(
      entries.map((_, i) => String(entries.length - i)),
    );
    const left = (await api.call("GET", `orgs/${id}/balance`)).body?.["balanceUsd"];
    expect(left).toBe(((10_100 - 3 * served) / 1e6).toFixed(6));
    expect(entries[0]).toMatchObject({ balanceAfterUsd: left });
  });
});

describe("a change is in both threads before it is answered", () => {
  test("a new key works, a revoked one does not", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { key, secret } = await organization();
      const before = await times(8, () => ask(secret, "/v1/models", "GET"));
      expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
      await api.call("DELETE", `api-keys/${key.id}`);
      const after = await times(8, () => ask(secret, "/v1/models", "GET"));
      expect(after.map(({ status }) => status)).toEqual(after.map(() => 401));
      expect(new Set(after.map(({ thread }) => thread)).size).toBe(2);
    }
  });

  test("an organization that no longer pays through is refused", async () => {
    const { id, secret } = await organization();
    await api.data(200, "PATCH", `orgs/${id}`, { payg: "disabled" });
    const answers = await times(8, () => ask(secret));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 402));
  });

  test("an account that is gone serves no more", async () => {
    const entry = { name: "q", type: "openai", baseUrl: provider.origin, models: ["other"] };
    await api.data(201, "POST", "providers", entry);
    const listed = await times(6, () => ask(gateway.key, "/v1/models", "GET"));
    expect(listed.every(({ body }) => body.includes("q/other"))).toBe(true);
    await api.call("DELETE", "providers/q");
    const after = await times(6, () => ask(gateway.key, "/v1/models", "GET"));
    expect(after.some(({ body }) => body.includes("q/other"))).toBe(false);
  });
});

describe("what one thread keeps is served by both", () => {
  test("a caller's view of itself", async () => {
    const { id, secret } = await organization({}, "2");
    const answers = await times(6, () => ask(secret, "/v1/me", "GET"));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({
        data: { organization: { id }, balance: { balanceUsd: "2.000000" } },
      });
    }
    const unknown = await times(4, () => ask("sk-gw-0", "/v1/me", "GET"));
    expect(unknown.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  test("a batch job and its results", async () => {
    const caller = { url: gateway.url, key: gateway.key };
    const items = Array.from({ length: 20 }, (_, i) => ({ id: `i${i}`, input: `Text ${i}` }));
    for (let i = 0; i < 4; i += 1) {
      const accepted = await postBatch(caller, { items });
      expect(accepted.status).toBe(202);
      const { job_id } = (await accepted.json()) as { readonly job_id: string };
      const job = await ended(caller, job_id);
      expect(job.results.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    }
  });

  test.each([
    ["JSON", false],
    ["a stream", true],
  ])("what a provider stores, whichever thread it was answered in: %s", async (_, stream) => {
    const { secret } = await organization();
    const { secret: stranger } = await organization();
    const requestFor = (more: object) =>
      JSON.stringify({ model: "p/m", input: "Hello", max_output_tokens: 10, ...more });
    const to = "/v1/responses";
    for (let i = 0; i < 20; i += 1) {
      const id = `resp_${stream}_${i}`;
      const response = { id, object: "response", status: "completed", output: [], usage };
      provider.script = stream
        ? { sse: [namedEvent("response.completed", { response })] }
        : { json: response };
      const made = await ask(secret, to, "POST", requestFor({ stream }));
      expect(made.status).toBe(200);
      // At once, in each thread.
      const next = requestFor({ previous_response_id: id, store: false });
      const answers = await Promise.all([
        ask(secret, to, "POST", next),
        ask(secret, to, "POST", next),
        ask(secret, `${to}/${id}`, "GET"),
        ask(secret, `${to}/${id}`, "GET"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
    }
    const foreign = await ask(
      stranger,
      to,
      "POST",
      requestFor({ previous_response_id: `resp_${stream}_0` }),
    );
    expect(foreign.status).toBe(404);
  });

  test("every request's event and content", async () => {
    const { id, secret } = await organization();
    const answers = await times(10, () => ask(secret));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const path = `/v1/audit/events?orgId=${id}&limit=100`;
    const completed = async () => {
      const { body } = await ask(gateway.operatorKey, path, "GET");
      const { data } = JSON.parse(body) as {
        data: readonly { event_type: string; index: number }[];
      };
      return data.filter(({ event_type }) => event_type === "request.completed");
    };
    await expect.poll(async () => (await completed()).length).toBe(10);
    const { index } = (await completed())[0] ?? { index: -1 };
    const event = `/v1/audit/events/${index}`;
    const contentShown = async () => (await ask(gateway.operatorKey, event, "GET")).body;
    // The name is masked.
    await expect.poll(contentShown).toContain("What is the capital of");
    expect((await ask(gateway.operatorKey, `${event}/content`, "DELETE")).status).toBe(204);
    expect(await contentShown()).not.toContain("What is the capital of");
    // Larger than one write.
    const csv = await ask(gateway.operatorKey, "/v1/audit/export.csv", "GET");
    expect(csv.status).toBe(200);
    expect(csv.body.trimEnd().split("\n").length).toBeGreaterThan(10);
  });

  test("a checkpoint covers what was answered before it was asked for", async () => {
    const { secret } = await organization();
    for (let i = 0; i < 3; i += 1) {
      // One in each thread.
      const answers = await times(2, () => ask(secret));
      const note = await ask(gateway.operatorKey, "/v1/audit/checkpoint", "GET");
      const size = Number(note.body.split("\n")[1]);
      for (const { id } of answers) {
        const path = `/v1/audit/events?event_type=request.completed&request_id=${id}`;
        const index = async () => {
          const { body } = await ask(gateway.operatorKey, path, "GET");
          const { data } = JSON.parse(body) as { data: readonly { readonly index: number }[] };
          return data[0]?.index;
        };
        await expect.poll(index).toBeDefined();
        expect(await index()).toBeLessThan(size);
      }
    }
  });

  test("metrics are sums, and the log has every request", async () => {
    const { secret } = await organization();
    const total = async () => {
      const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
      const lines = text.match(/^weir_requests_total\{route="chat".*$/gm) ?? [];
      return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    };
    const before = await total();
    await times(30, () => ask(secret));
    expect((await total()) - before).toBe(30);
    const text = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
    expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
    await expect
      .poll(() => gateway.log.filter(({ route }) => route === "chat").length)
      .toBeGreaterThanOrEqual(30);
  });
});
