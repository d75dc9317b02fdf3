import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AuditApi } from "../support/audit-api.ts";
import {
  CachedGateway,
  askRaw,
  chatAnswer,
  chatBody,
  chatPath,
  chatStream,
  chunksOf,
  messagesAnswer,
  messagesStream,
  usageChunk,
} from "../support/cached.ts";

let gateway: CachedGateway;

beforeAll(async () => {
  gateway = await CachedGateway.start();
});
afterAll(() => gateway.stop());

const messagesPath = "/v1/messages";
const providerHeaders = {
  "x-request-id": "req_of_the_first",
  "request-id": "req_of_the_first",
  "x-ratelimit-remaining-requests": "5",
  "anthropic-ratelimit-requests-remaining": "5",
  "openai-processing-ms": "12",
  "openai-organization": "the-operators",
  "set-cookie": "a=b",
  "openai-version": "2020-10-01",
};

describe("a request that was answered before", () => {
  it.each([
    ["chat", chatPath, chatAnswer("hello")],
    ["messages", messagesPath, messagesAnswer("hello")],
  ])("costs nothing and calls nobody: JSON of %s", async (wire, path, answer) => {
    gateway.answersJson(answer, 200, providerHeaders);
    const body = chatBody(`json of ${wire}`);
    const first = await gateway.ask(body, { path });
    expect(first).toMatchObject({ cache: "miss", wasCalled: true, text: answer });
    const before = await gateway.balance();
    const again = await gateway.ask(body, { path });
    expect(again).toMatchObject({ cache: "hit", wasCalled: false, text: answer });
    expect(await gateway.balance()).toEqual(before);
    expect(await gateway.eventsOf(again)).toEqual(["request.completed"]);
    const headers = Object.fromEntries(again.response.headers);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "openai-version": "2020-10-01",
      "x-svc-cost-calculation-status": "cache_hit",
      "x-svc-cost-usd": "0.000000",
      "x-svc-payg-debited-cents": "0",
      "x-svc-payg-balance-cents": first.response.headers.get("x-svc-payg-balance-cents"),
    });
    expect(headers["x-svc-request-id"]).not.toBe(first.response.headers.get("x-svc-request-id"));
    for (const name of Object.keys(providerHeaders)) {
      if (name !== "openai-version") expect(headers).not.toHaveProperty(name);
    }
    expect(await gateway.lineOf(first)).toMatchObject({ cache: "miss", cost_status: "calculated" });
    expect(await gateway.lineOf(again)).toMatchObject({
      cache: "hit",
      cost_status: "cache_hit",
      cost_usd: "0.000000",
      end: "complete",
      attempts: 0,
      provider: "up",
      upstream_status: null,
      verdict: "allow",
    });
  });

  it.each([
    ["chat", chatPath, chatStream("hel", "lo")],
    ["messages", messagesPath, messagesStream("hel", "lo")],
  ])("costs nothing and calls nobody: a stream of %s", async (wire, path, events) => {
    gateway.answersStream(events, providerHeaders);
    const body = chatBody(`stream of ${wire}`, { stream: true });
    const first = await gateway.ask(body, { path });
    expect(first).toMatchObject({ cache: "miss", wasCalled: true });
    const billed = await gateway.lineOf(first);
    expect(billed).toMatchObject({ cost_usd: "0.000025", end: "complete" });
    const before = await gateway.balance();
    const again = await gateway.ask(body, { path });
    expect(again).toMatchObject({ cache: "hit", wasCalled: false, text: first.text });
    expect(await gateway.balance()).toEqual(before);
    expect(await gateway.eventsOf(again)).toEqual(["request.completed"]);
    const headers = Object.fromEntries(again.response.headers);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "x-svc-cost-calculation-status": "cache_hit",
      "x-svc-payg-balance-cents": expect.any(String) as string,
    });
    expect(headers).not.toHaveProperty("x-svc-payg-debited-cents");
    expect(await gateway.lineOf(again)).toMatchObject({ cost_status: "cache_hit", stream: true });
  });

  it("leaves a record of its own with its content", async () => {
    gateway.answersJson(chatAnswer("kept"));
    const body = chatBody("a record of its own");
    await gateway.ask(body);
    const { response, text } = await gateway.ask(body);
    const audit = new AuditApi(gateway.gateway);
    const { index, data } = await audit.eventOf(response.headers.get("x-svc-request-id") ?? "");
    expect(data).toMatchObject({
      cost_status: "cache_hit",
      cost_usd: "0.000000",
      verdict: "allow",
    });
    await expect
      .poll(async () => (await audit.json(`events/${index}`)) as object)
      .toMatchObject({ data: { content: { request: { text: body }, response: { text } } } });
    const csv = await audit.text("export.csv");
    expect(csv).toMatch(/,completed,200,,0,0,0,0,,0\.000000,cache_hit,allow,/);
  });

  it("gets each event in a write of its own, however the provider's bytes came", async () => {
    const events = chatStream(...Array.from({ length: 60 }, (_, i) => `piece ${i} `));
    // All of it at once, and cut through an event.
    const joined = events.join("");
    gateway.answersStream([joined.slice(0, 1_000), joined.slice(1_000)]);
    const body = chatBody("boundaries", { stream: true });
    await gateway.ask(body);
    const raw = await askRaw(gateway, body);
    const { text } = await raw.until((answer) => answer.text.endsWith("\r\n0\r\n\r\n"));
    raw.destroy();
    expect(text).toContain("X-Svc-Cache: hit");
    const chunks = chunksOf(text.slice(text.indexOf("\r\n\r\n") + 4));
    expect(chunks).toEqual(events.filter((event) => event !== usageChunk));
  });

  it("waits for a slow client and loses nothing", async () => {
    const events = chatStream(
      ...Array.from({ length: 900 }, (_, i) => `${i} ${"x".repeat(1_000)}`),
    );
    gateway.answersStream(events);
    const body = chatBody("slow", { stream: true });
    const first = await gateway.ask(body);
    const raw = await askRaw(gateway, body);
    raw.socket.pause();
    await gateway.ask(chatBody("somebody else"));
    raw.socket.resume();
    const { text } = await raw.until((answer) => answer.text.endsWith("\r\n0\r\n\r\n"));
    raw.destroy();
    expect(text).toContain("X-Svc-Cache: hit");
    expect(chunksOf(text.slice(text.indexOf("\r\n\r\n") + 4)).join("")).toBe(first.text);
  });
});

describe("the cache is used", () => {
  async function second(text: string, secret: string, headers: Record<string, string>) {
    gateway.answersJson(chatAnswer("x"));
    const body = chatBody(text);
    await gateway.ask(body, { secret, headers });
    return gateway.ask(body, { secret, headers });
  }

  it("by requests that ask for it and by keys that are set so, and by nobody else", async () => {
    const plain = gateway.gateway.key;
    const set = await gateway.key({ responseCache: { ttlSeconds: 60 } });
    const cases = [
      [plain, "on", "hit"],
      [plain, "off", null],
      [set, "on", "hit"],
      [set, "off", null],
    ] as const;
    for (const [i, [secret, use, cache]] of cases.entries()) {
      const asked = await second(`use ${i}`, secret, { "x-svc-cache": use });
      expect(asked).toMatchObject({ cache, wasCalled: cache === null });
    }
    gateway.answersJson(chatAnswer("x"));
    for (const [secret, cache] of [
      [plain, null],
      [set, "hit"],
    ] as const) {
      const headers = { authorization: `Bearer ${secret}` };
      const ask = (): Promise<Response> =>
        fetch(gateway.gateway.url + chatPath, {
          method: "POST",
          headers,
          body: chatBody(`no header ${cache}`),
        });
      await ask();
      expect((await ask()).headers.get("x-svc-cache")).toBe(cache);
    }
  });

  it.each([
    [{ "x-svc-cache": "yes" }],
    [{ "x-svc-cache-ttl": "0" }],
    [{ "x-svc-cache-ttl": "86401" }],
  ])("only as its headers allow: %j", async (headers) => {
    const { response, text, wasCalled } = await gateway.ask(chatBody("wrong header"), { headers });
    expect([response.status, wasCalled]).toEqual([400, false]);
    expect(text).toContain('"invalid_request"');
  });

  it("for as long as its time is", async () => {
    gateway.answersJson(chatAnswer("x"));
    const body = chatBody("time to live");
    const headers = { "x-svc-cache-ttl": "1" };
    await gateway.ask(body, { headers });
    await expect.poll(async () => (await gateway.ask(body)).cache, { timeout: 5_000 }).toBe("miss");
    expect((await gateway.ask(body)).cache).toBe("hit");
  });

  it("and is told in the metrics", async () => {
    await second("metrics", gateway.gateway.key, {});
    const metrics = await (await fetch(`${gateway.gateway.keysUrl}/metrics`)).text();
    expect(metrics).toMatch(/weir_response_cache_lookups_total\{route="chat",result="hit"\} [1-9]/);
    expect(metrics).toMatch(
      /weir_response_cache_lookups_total\{route="chat",result="miss"\} [1-9]/,
    );
    expect(metrics).toMatch(/weir_response_cache_answers [1-9]/);
    expect(metrics).toMatch(/weir_response_cache_bytes [1-9]/);
  });

  it("by several at once without harm", async () => {
    gateway.answersStream(chatStream("at ", "once"));
    const body = chatBody("at once", { stream: true });
    const all = await Promise.all(Array.from({ length: 8 }, () => gateway.ask(body)));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect((await gateway.ask(body)).cache).toBe("hit");
  });
});

describe("an answer is given to", () => {
  const body = chatBody("whom");
  const spaced = JSON.stringify(JSON.parse(body) as object, null, 2);

  it("whoever asks the same in the same organization", async () => {
    gateway.answersJson(chatAnswer("the same"));
    await gateway.ask(body);
    const another = await gateway.key();
    const headers = { "user-agent": "other/1", "x-stainless-retry-count": "1", traceparent: "x" };
    for (const asked of [
      await gateway.ask(body, { secret: another }),
      await gateway.ask(spaced),
      await gateway.ask(body, { headers }),
    ]) {
      expect(asked).toMatchObject({ cache: "hit", wasCalled: false });
    }
  });

  it.each<[what: string, body: string, headers?: Record<string, string>, path?: string]>([
    ["another query", body, {}, `${chatPath}?a=b`],
    ["another wire", body, {}, messagesPath],
    ["another beta", body, { "anthropic-beta": "b" }],
    ["another version", body, { "openai-beta": "assistants=v2" }],
    ["a provider's name", body, { "x-svc-provider": "up" }],
    ["another name of the model", body.replace("up/m", "m")],
    ["another model", body.replace("up/m", "up/other")],
    ["another spelling of a number", body.replace(":50", ":50.0")],
    ["another order", '{"max_tokens":50,' + body.replace('"max_tokens":50,', "").slice(1)],
    ["another text", body.replace("whom", "who")],
    ["another escape", body.replace("whom", String.raw`wh\u006fm`)],
  ])("nobody who asks with %s", async (_what, other, headers = {}, path = chatPath) => {
    gateway.answersJson(chatAnswer("the same"));
    await gateway.ask(body);
    expect((await gateway.ask(body)).cache).toBe("hit");
    const asked = await gateway.ask(other, { headers, path });
    expect(asked).toMatchObject({ cache: "miss", wasCalled: true });
  });

  it("no other organization", async () => {
    gateway.answersJson(chatAnswer("the same"));
    await gateway.ask(body);
    const { secret } = await gateway.organization();
    expect(await gateway.ask(body, { secret })).toMatchObject({ cache: "miss", wasCalled: true });
    expect(await gateway.ask(body, { secret })).toMatchObject({ cache: "hit", wasCalled: false });
  });

  it("no client that did not ask for the usage, if the first one did", async () => {
    gateway.answersStream(chatStream("usage"));
    const plain = chatBody("usage", { stream: true });
    const asking = chatBody("usage", { stream: true, stream_options: { include_usage: true } });
    for (const [one, hasUsage] of [
      [asking, true],
      [plain, false],
    ] as const) {
      const first = await gateway.ask(one);
      const again = await gateway.ask(one);
      expect([first.cache, again.cache]).toEqual(["miss", "hit"]);
      expect(again.text).toBe(first.text);
      expect(again.text.includes('"prompt_tokens":7')).toBe(hasUsage);
    }
  });

  it("no revoked key, and no key that may not use the model any more", async () => {
    gateway.answersJson(chatAnswer("x"));
    const { key, secret } = await gateway.api.key({ orgId: gateway.orgId });
    const one = chatBody("permissions");
    await gateway.ask(one, { secret });
    expect((await gateway.ask(one, { secret })).cache).toBe("hit");
    await gateway.api.data(200, "PATCH", `api-keys/${key.id}`, { allowedModels: ["up/other"] });
    expect((await gateway.ask(one, { secret })).response.status).toBe(403);
    await gateway.api.call("DELETE", `api-keys/${key.id}`);
    expect((await gateway.ask(one, { secret })).response.status).toBe(401);
    expect((await gateway.ask(one)).cache).toBe("hit");
  });

  it("no organization for which the service pays no more", async () => {
    gateway.answersJson(chatAnswer("x"));
    const { id, secret } = await gateway.organization();
    await gateway.ask(body, { secret });
    await gateway.api.data(200, "PATCH", `orgs/${id}`, { payg: "disabled" });
    const { response, text } = await gateway.ask(body, { secret });
    expect(response.status).toBe(402);
    expect(text).toContain("payg_disabled");
  });

  it("nobody after its organization's content was erased", async () => {
    gateway.answersJson(chatAnswer("x"));
    const { id, secret } = await gateway.organization();
    const asked = await gateway.ask(body, { secret });
    const audit = new AuditApi(gateway.gateway);
    expect((await gateway.ask(body, { secret })).cache).toBe("hit");
    await audit.call(`content?orgId=${id}`, "DELETE");
    expect((await gateway.ask(body, { secret })).cache).toBe("miss");
    const requestId = asked.response.headers.get("x-svc-request-id") ?? "";
    const { index } = await audit.eventOf(requestId);
    await audit.call(`events/${index}/content`, "DELETE");
    expect((await gateway.ask(body, { secret })).cache).toBe("miss");
  });
});

describe("usage limits", () => {
  it("count a hit as a request without tokens and cost", async () => {
    gateway.answersJson(chatAnswer("x"));
    const { id, secret } = await gateway.organization();
    const limit = (limitType: string, threshold: string) =>
      gateway.api.data(201, "POST", "usage-limits", {
        orgId: id,
        name: limitType,
        limitType,
        threshold,
        timeWindow: "1 hour",
      });
    const limits = [
      await limit("requests", "3"),
      await limit("tokens", "1000000"),
      await limit("cost", "1"),
    ];
    const usages = () =>
      Promise.all(
        limits.map(async (one) => {
          const view = await gateway.api.data(200, "GET", `usage-limits/${one.id}/usage`);
          return view["currentUsage"];
        }),
      );
    const one = chatBody("limits");
    await gateway.ask(one, { secret });
    await expect.poll(usages).toEqual(["1", "16", "0.000025"]);
    expect((await gateway.ask(one, { secret })).cache).toBe("hit");
    await expect.poll(usages).toEqual(["2", "16", "0.000025"]);
    expect((await gateway.ask(one, { secret })).cache).toBe("hit");
    expect((await gateway.ask(one, { secret })).response.status).toBe(429);
  });
});
