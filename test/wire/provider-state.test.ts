import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { answerFaults } from "../openapi/described-api.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

const path = "/v1/responses";
const price = {
  inputUsdPerMillion: "1",
  outputUsdPerMillion: "1",
  audioInputUsdPerMillion: "1",
  audioOutputUsdPerMillion: "1",
  contextTokensMax: 1_000,
  outputTokensMax: 1_000,
};

let providers: readonly ScriptedProvider[];
let gateway: TestGateway;
let api: KeysApi;

beforeAll(async () => {
  providers = [await ScriptedProvider.start(), await ScriptedProvider.start()];
  const wires = ["chat", "messages", "responses"];
  const accounts = providers.map(({ origin }, i) => ({
    name: `p${i}`,
    provider: "p",
    type: "openai",
    baseUrl: origin,
    wires,
    models: ["m"],
  }));
  gateway = await startGateway({
    config: { providers: accounts, pricing: { models: { "p/m": price } } },
  });
  api = new KeysApi(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(providers.map((provider) => provider.close()));
});
afterEach(() => {
  for (const provider of providers) provider.received.length = provider.targets.length = 0;
});

let organizations = 0;

interface Payer {
  readonly orgId: string;
  readonly secret: string;
}

async function payer(): Promise<Payer> {
  const { id } = await api.organization(`state ${++organizations}`);
  await api.data(201, "POST", `orgs/${id}/top-ups`, { amountUsd: "10", idempotencyKey: "first" });
  const { secret } = await api.key({ orgId: id });
  return { orgId: id, secret };
}

const request = { model: "p/m", input: "hi", max_output_tokens: 10 };

async function ask(
  { secret }: Pick<Payer, "secret">,
  body: object = {},
  to = path,
): Promise<Response> {
  const response = await fetch(gateway.url + to, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(to === path ? { ...request, ...body } : body),
  });
  expect(await answerFaults("POST", to, response.clone())).toEqual([]);
  return response;
}

async function call(
  { secret }: Pick<Payer, "secret">,
  method: string,
  to: string,
): Promise<Response> {
  const response = await fetch(gateway.url + to, {
    method,
    headers: { authorization: `Bearer ${secret}` },
  });
  const template = to.replace(/\?.*/, "").replace(/^\/v1\/responses\/[^/]+/, "/v1/responses/{id}");
  expect(await answerFaults(method, template, response.clone())).toEqual([]);
  return response;
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
let answers = 0;

/** A new answer, which both providers give from now on. */
function answered(isStream = false): { id: string; item: string } {
  const [id, item] = [`resp_${++answers}`, `msg_${answers}`];
  const content = [{ type: "output_text", text: "Write to jo@example.com", annotations: [] }];
  const output = [{ id: item, type: "message", role: "assistant", content }];
  const response = { id, object: "response", status: "completed", error: null, output, usage };
  const last = `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response })}\n\n`;
  for (const provider of providers) {
    provider.script = isStream ? { sse: [last] } : { json: response };
  }
  return { id, item };
}

const forwarded = (): number => providers.reduce((sum, { received }) => sum + received.length, 0);

async function expectUnknown(response: Response, sent = forwarded()): Promise<void> {
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
  expect(forwarded()).toBe(sent);
}

describe.each([
  ["JSON", false],
  ["a stream", true],
])("what was answered in %s", (_, isStream) => {
  test("may be named by its organization alone", async () => {
    const [who, other] = [await payer(), await payer()];
    const { id, item } = answered(isStream);
    await (await ask(who, { stream: isStream })).text();
    answered();
    for (const body of [
      { previous_response_id: id },
      { input: [{ type: "item_reference", id: item }] },
      { input: [{ type: "item_reference", id }] },
    ]) {
      expect((await ask(who, body)).status).toBe(200);
      await expectUnknown(await ask(other, body));
    }
    // An id reaches the provider as it was sent.
    const bodies = providers.flatMap(({ received }) => received);
    expect(bodies.filter((body) => body.includes(`"previous_response_id":"${id}"`))).toHaveLength(
      1,
    );
  });

  test("is served by the account that made it, whose turn it may be", async () => {
    const who = await payer();
    const { id } = answered(isStream);
    await (await ask(who, { stream: isStream })).text();
    const made = providers.findIndex(({ received }) => received.length > 0);
    answered();
    for (let i = 0; i < 4; i++) await ask(who, { previous_response_id: id });
    expect(providers[made]?.received).toHaveLength(5);
    // What two accounts have made can't be named together.
    const others: string[] = [];
    while (others.length === 0) {
      const { id: next } = answered();
      const before = providers[made]?.received.length;
      await ask(who);
      if (providers[made]?.received.length === before) others.push(next);
    }
    await expectUnknown(
      await ask(who, {
        previous_response_id: id,
        input: [{ type: "item_reference", id: others[0] }],
      }),
    );
  });

  test("may be read, ended and deleted by its organization alone", async () => {
    const [who, other] = [await payer(), await payer()];
    const { id } = answered(isStream);
    await (await ask(who, { stream: isStream })).text();
    answered();
    const calls = [
      ["GET", `/v1/responses/${id}`],
      ["GET", `/v1/responses/${id}/input_items?limit=2`],
      ["POST", `/v1/responses/${id}/cancel`],
      ["DELETE", `/v1/responses/${id}`],
    ] as const;
    for (const [method, to] of calls) {
      await expectUnknown(await call(other, method, to));
      const response = await call(who, method, to);
      expect(response.status).toBe(200);
      expect(response.headers.get("x-svc-cost-calculation-status")).toBe("non_billable");
      expect(providers.flatMap(({ targets }) => targets)).toContain(`${method} ${to}`);
    }
  });
});

test("another key of the organization may name it, and a restart changes nothing", async () => {
  const who = await payer();
  const { id } = answered();
  await ask(who);
  const { secret } = await api.key({ orgId: who.orgId });
  answered();
  expect((await ask({ secret }, { previous_response_id: id })).status).toBe(200);
  gateway = await gateway.restart();
  api = new KeysApi(gateway);
  expect((await ask(who, { previous_response_id: id })).status).toBe(200);
  await expectUnknown(await ask(await payer(), { previous_response_id: id }));
});

test("ids that were never created here are unknown, however they look", async () => {
  const who = await payer();
  for (const id of ["resp_elsewhere", "x".repeat(5_000), "ü", " ", "resp_1\u0000"]) {
    await expectUnknown(await ask(who, { previous_response_id: id }));
  }
  await expectUnknown(await call(who, "GET", "/v1/responses/resp_elsewhere"));
});

describe("an account that serves one organization alone", () => {
  async function dedicated(): Promise<Payer & { readonly model: string }> {
    const who = await payer();
    const name = `own-${organizations}`;
    const [made] = providers;
    await api.data(201, "POST", "providers", {
      name,
      provider: "p",
      type: "openai",
      baseUrl: made?.origin,
      wires: ["chat", "responses"],
      models: ["m", name],
      orgId: who.orgId,
    });
    return { ...who, model: `${name}/m` };
  }
  const named = { previous_response_id: "resp_elsewhere" };

  test("takes ids that were not made here, and reads what they name", async () => {
    const who = await dedicated();
    answered();
    for (const model of [who.model, "p/m", "p/m", "p/m"]) {
      expect((await ask(who, { model, ...named })).status).toBe(200);
    }
    expect((await call(who, "GET", "/v1/responses/resp_elsewhere")).status).toBe(200);
    const file = { type: "input_file", file_id: "file_elsewhere" };
    const input = [{ role: "user", content: [file] }];
    expect((await ask(who, { input })).status).toBe(200);
  });

  test("does not take what another account has made", async () => {
    const { model, ...who } = await dedicated();
    const { id } = answered();
    await ask(who, { model: "p0/m" });
    await expectUnknown(await ask(who, { model, previous_response_id: id }));
    await expectUnknown(await ask(who, { model: "p0/m", ...named }));
  });

  test("does not exist for another organization", async () => {
    const [{ model, ...owner }, other] = [await dedicated(), await payer()];
    answered();
    const refused = await ask(other, { model });
    expect(refused.status).toBe(400);
    const text = await refused.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: "no_route" } });
    expect(text.replaceAll(model, "")).not.toContain("own-");
    await expectUnknown(await call(other, "GET", "/v1/responses/resp_elsewhere"));
    const only = `p/${model.replace("/m", "")}`;
    const listed = async (caller: Payer) => (await call(caller, "GET", "/v1/models")).text();
    expect(await listed(owner)).toContain(only);
    expect(await listed(other)).not.toContain("own-");
  });
});

test("what was not stored, or was blocked, is unknown", async () => {
  const who = await payer();
  const first = answered();
  await ask(who, { store: false });
  const rule = { category: "pii", action: "block", direction: "output" };
  const key = await api.ruledKey(who.orgId, { entities: [rule] });
  const second = answered();
  expect((await ask(key)).status).toBe(403);
  for (const { id } of [first, second]) {
    await expectUnknown(await ask(who, { previous_response_id: id }));
  }
});

test("the rules for answers hold for what is read again", async () => {
  const who = await payer();
  const { id } = answered();
  await ask(who);
  const rule = { category: "pii", action: "redact", direction: "output" };
  const key = await api.ruledKey(who.orgId, { entities: [rule] });
  const text = await (await call(key, "GET", `/v1/responses/${id}`)).text();
  expect(text).toContain("Write to <EMAIL>");
  expect(text).not.toContain("jo@example.com");
});

test("where the organization does not pay through the service, nothing is read", async () => {
  const who = await payer();
  const { id } = answered();
  await ask(who);
  await api.data(200, "PATCH", `orgs/${who.orgId}`, { payg: "disabled" });
  const response = await call(who, "GET", `/v1/responses/${id}`);
  expect(response.status).toBe(402);
});

describe("on the other wires", () => {
  const user = [{ role: "user", content: "hi" }];
  const both = { model: "p/m", max_tokens: 10, messages: user };

  function all(json: unknown): void {
    for (const provider of providers) provider.script = { json };
  }

  test("a chat's audio", async () => {
    const [who, other] = [await payer(), await payer()];
    const audio = { id: "audio_1", data: "", transcript: "hi" };
    const choices = [{ message: { role: "assistant", audio } }];
    all({ id: "c", choices, usage: { prompt_tokens: 1, completion_tokens: 1 } });
    const to = "/v1/chat/completions";
    const wish = { audio: { voice: "alloy", format: "mp3" } };
    expect((await ask(who, { ...both, ...wish }, to)).status).toBe(200);
    const next = { ...both, messages: [{ role: "assistant", audio: { id: "audio_1" } }, ...user] };
    await expectUnknown(await ask(other, next, to));
    expect((await ask(who, next, to)).status).toBe(200);
  });

  test.each([{}, { stream_options: { include_usage: true } }])(
    "a stream's audio, with %j",
    async (options) => {
      const [who, other] = [await payer(), await payer()];
      const id = `audio_s${++answers}`;
      const piece = (delta: object) =>
        `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta }], usage: null })}\n\n`;
      const counted = { prompt_tokens: 1, completion_tokens: 1 };
      const sse = [
        piece({ role: "assistant", audio: { id } }),
        piece({ audio: { data: "AAAA" } }),
        `data: ${JSON.stringify({ id: "c", choices: [], usage: counted })}\n\n`,
        "data: [DONE]\n\n",
      ];
      for (const provider of providers) provider.script = { sse };
      const to = "/v1/chat/completions";
      const wish = { audio: { voice: "alloy", format: "pcm16" }, stream: true, ...options };
      const response = await ask(who, { ...both, ...wish }, to);
      const isAsked = "stream_options" in options;
      expect(await response.text()).toBe(sse.filter((_, i) => isAsked || i !== 2).join(""));
      all({ id: "c", choices: [], usage: counted });
      const next = { ...both, messages: [{ role: "assistant", audio: { id } }, ...user] };
      await expectUnknown(await ask(other, next, to));
      expect((await ask(who, next, to)).status).toBe(200);
    },
  );

  test("a message's thread and container", async () => {
    const [who, other] = [await payer(), await payer()];
    all({ id: "msg_a", type: "message", container: { id: "container_a" }, content: [], usage });
    const to = "/v1/messages";
    expect((await ask(who, { ...both, thread: { type: "create" } }, to)).status).toBe(200);
    for (const more of [
      { thread: { type: "continue", previous_message_id: "msg_a" } },
      { container: "container_a" },
      { container: { id: "container_a" } },
    ]) {
      await expectUnknown(await ask(other, { ...both, ...more }, to));
      expect((await ask(who, { ...both, ...more }, to)).status).toBe(200);
    }
  });
});
