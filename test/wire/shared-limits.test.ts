import { afterAll, beforeAll, expect, test } from "vitest";
import { passthroughRequestsPerWindow } from "../../src/contract/limits.ts";
import { describeWithPostgres, TestDatabase } from "../store/shared/database.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";

/*
 * Three gateways on one store: a limit is the same limit at each of them. Nothing is admitted beyond it, and nothing is
 * refused while there is room for it.
 */

const hello = '{"model":"echo","max_tokens":8,"messages":[{"role":"user","content":"hi"}]}';

describeWithPostgres("limits over three gateways", () => {
  const database = new TestDatabase();
  const gateways: TestGateway[] = [];
  let provider: ObservedProvider;
  let api: KeysApi;
  let names = 0;

  beforeAll(async () => {
    provider = await startObservedProvider();
    const options = {
      config: {
        store: { type: "postgres", url: { env: "WEIR_TEST_DATABASE" } },
        providers: [provider.account("p")],
        pricing: { models: { "p/echo": { inputUsdPerMillion: "1", outputUsdPerMillion: "1" } } },
        network: { allowedInternalHosts: ["127.0.0.1"], trustedProxies: ["127.0.0.1"] },
      },
      env: { WEIR_TEST_DATABASE: database.url },
    };
    const first = await startGateway(options);
    gateways.push(first, await startGateway(options, first), await startGateway(options, first));
    expect(new Set(gateways.map(({ url }) => url)).size).toBe(3);
    api = new KeysApi(first);
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await provider.demo.close();
  });

  async function caller(rateLimit: number | null, budget: object | null = null) {
    const { id: orgId } = await api.organization(`shared ${++names}`, { rateLimit, budget });
    const { secret } = await api.key({ orgId });
    const topUp = { amountUsd: "20", idempotencyKey: "first" };
    await api.data(201, "POST", `orgs/${orgId}/top-ups`, topUp);
    return { orgId, secret };
  }

  /** Asks the gateway with this number. */
  function chat(
    secret: string,
    at: number,
    body: string | ReadableStream = hello,
  ): Promise<Response> {
    const url = `${gateways[at % gateways.length]?.url ?? ""}/v1/chat/completions`;
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    return fetch(url, { method: "POST", headers, body, duplex: "half" });
  }

  /** The statuses of requests at each gateway in turn. */
  async function inTurn(secret: string, count: number, body = hello): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 1) statuses.push((await chat(secret, i, body)).status);
    return statuses;
  }

  const admitted = (statuses: readonly number[]) => statuses.filter((one) => one === 200).length;

  test("a rate limit, in turn", async () => {
    const { secret } = await caller(100);
    expect(await inTurn(secret, 103)).toEqual([...Array<number>(100).fill(200), 429, 429, 429]);
  });

  test("a rate limit, at once, and then what is left of it at one gateway", async () => {
    const { secret } = await caller(30);
    const first = await Promise.all(Array.from({ length: 24 }, (_, i) => chat(secret, i)));
    expect(admitted(first.map(({ status }) => status))).toBe(24);
    const rest = await Promise.all(Array.from({ length: 10 }, () => chat(secret, 1)));
    expect(admitted(rest.map(({ status }) => status))).toBe(6);
    const refused = rest.find(({ status }) => status === 429);
    expect(refused?.headers.get("x-ratelimit-scope")).toBe("org");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("what other gateways do not use of a rate limit is there for one of them", async () => {
    const { secret } = await caller(200);
    // Where plenty is free, each gets more than it needs.
    expect(admitted(await inTurn(secret, 3))).toBe(3);
    const rest = await Promise.all(Array.from({ length: 210 }, () => chat(secret, 1)));
    expect(admitted(rest.map(({ status }) => status))).toBe(197);
  });

  test("a rate limit that is lowered or raised is the new one everywhere", async () => {
    const { orgId, secret } = await caller(1_000);
    // Each gateway has a share for more than the new limit.
    expect(admitted(await inTurn(secret, 6))).toBe(6);
    await api.data(200, "PATCH", `orgs/${orgId}`, { rateLimit: 8 });
    expect(admitted(await inTurn(secret, 9))).toBe(2);
    await api.data(200, "PATCH", `orgs/${orgId}`, { rateLimit: 11 });
    expect(admitted(await inTurn(secret, 9))).toBe(3);
  });

  test("a usage limit, with what is used of it", async () => {
    const { orgId, secret } = await caller(null);
    const limit = { orgId, name: "l", limitType: "requests", threshold: "7", timeWindow: "1 day" };
    const { id } = await api.data(201, "POST", "usage-limits", limit);
    const statuses = await inTurn(secret, 10);
    expect(statuses).toEqual([...Array<number>(7).fill(200), 429, 429, 429]);
    for (const gateway of gateways) {
      const used = await new KeysApi({ ...gateway }).data(200, "GET", `usage-limits/${id}/usage`);
      expect(used).toMatchObject({ currentUsage: "7", exceeded: true });
    }
    const refusal = (await (await chat(secret, 2)).json()) as { error: object };
    expect(refusal.error).toMatchObject({ code: "usage_limit_exceeded", currentUsage: "7" });
    await api.data(200, "PATCH", `usage-limits/${id}`, { threshold: "9" });
    expect(admitted(await inTurn(secret, 6))).toBe(2);
    await api.call("DELETE", `usage-limits/${id}`);
    expect(admitted(await inTurn(secret, 3))).toBe(3);
  });

  test("a budget gives all that it has, and no more", async () => {
    const { orgId, secret } = await caller(null, { usd: "0.02", window: "day" });
    const content = "to be or not to be ".repeat(100);
    const long = JSON.stringify({ ...JSON.parse(hello), messages: [{ role: "user", content }] });
    const statuses = await inTurn(secret, 45, long);
    const { usedUsd } = (await api.data(200, "GET", `orgs/${orgId}/budget`))["budget"] as {
      usedUsd: string;
    };
    expect(statuses.at(-1)).toBe(429);
    expect(Number(usedUsd)).toBeLessThanOrEqual(0.02);
    // What is left is less than one more request may cost.
    expect(Number(usedUsd)).toBeGreaterThan(0.016);
    // Requests are refused only at the end.
    expect(statuses.lastIndexOf(200)).toBe(admitted(statuses) - 1);
  });

  test("callers without a key, by their address", async () => {
    const ask = (i: number): Promise<Response> =>
      fetch(`${gateways[i % gateways.length]?.url ?? ""}/v1/chat/completions`, {
        method: "POST",
        headers: {
          authorization: "Bearer provider-key",
          "x-svc-upstream-url": provider.demo.origin,
          "x-forwarded-for": "203.0.113.9",
        },
        body: hello,
      });
    const statuses: number[] = [];
    for (let i = 0; i < passthroughRequestsPerWindow + 3; i += 1) {
      statuses.push((await ask(i)).status);
    }
    expect(admitted(statuses)).toBe(passthroughRequestsPerWindow);
    expect(statuses.slice(-3)).toEqual([429, 429, 429]);
  });

  test.each(["with a length", "chunked"])(
    "a long body waits until the store has answered: %s",
    async (kind) => {
      const { secret } = await caller(2);
      const content = "to be or not to be ".repeat(150_000);
      const body = JSON.stringify({
        ...{ model: "echo", max_tokens: 8 },
        messages: [{ role: "user", content }],
      });
      const before = provider.received.length;
      for (const at of [0, 1]) {
        const sent = kind === "chunked" ? new Blob([body]).stream() : body;
        expect((await chat(secret, at, sent)).status).toBe(200);
      }
      expect((await chat(secret, 2, body)).status).toBe(429);
      const came = provider.received.slice(before).map((one) => one.body.toString());
      expect(came).toEqual([body, body]);
    },
  );
});
