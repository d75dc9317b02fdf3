import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

interface Answered {
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

let next: Answered;
let upstream: Recorder;
let gateway: TestGateway;
let api: KeysApi;
let orgId: string;

beforeAll(async () => {
  upstream = await startRecorder((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...next.headers });
    response.end(next.body);
  });
  gateway = await startGatewayBefore(upstream.origin);
  api = new KeysApi(gateway);
  orgId = await api.firstOrganization();
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

async function keyWith(policy: object): Promise<string> {
  return (await api.ruledKey(orgId, policy)).secret;
}

const rule = (action: string, more: object = {}): object => ({
  customPatterns: [{ name: "one", regex: "PRJ-[0-9]+", direction: "output", action, ...more }],
});

async function ask(
  secret: string,
  answered: Answered,
  path = "/v1/chat/completions",
): Promise<Response> {
  next = answered;
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: '{"model":"p/m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}',
  });
}

async function askOwnKeys(secret: string, answered: Answered, path: string): Promise<Response> {
  next = answered;
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { "x-svc-api-key": secret, "x-svc-upstream-url": upstream.origin },
    body: '{"input":"hi"}',
  });
}

const chat = (message: string, more = ""): string =>
  `{ "id":"PRJ-1","model":"PRJ-1","choices":[{"index":0,"message":{"role":"assistant",${message}}${more}}],"usage":{"prompt_tokens":1.0,"completion_tokens":1} }`;
const messages = (block: string): string =>
  `{"id":"PRJ-1","type":"message","role":"assistant","content":[${block}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`;

describe("rules for JSON answers", () => {
  it.each<[name: string, path: string, answer: string, shown: string]>([
    [
      "text of a message, each other byte as it was",
      "/v1/chat/completions",
      chat(String.raw`"content":"\u0041 PR\u004a-12 \/"`),
      chat(String.raw`"content":"\u0041 [REDACTED] \/"`),
    ],
    [
      "refusals, reasoning and members that nobody knows",
      "/v1/chat/completions",
      chat('"refusal":"PRJ-1","reasoning_content":"PRJ-2","x":{"y":["PRJ-3"]}'),
      chat('"refusal":"[REDACTED]","reasoning_content":"[REDACTED]","x":{"y":["[REDACTED]"]}'),
    ],
    [
      "a tool call's arguments, which stay JSON",
      "/v1/chat/completions",
      chat(
        String.raw`"tool_calls":[{"id":"PRJ-1","function":{"name":"f","arguments":"{\"a\": \"\\u0050RJ-1\"}"}}]`,
      ),
      chat(
        String.raw`"tool_calls":[{"id":"PRJ-1","function":{"name":"f","arguments":"{\"a\": \"[REDACTED]\"}"}}]`,
      ),
    ],
    [
      "the tokens that spell what was redacted",
      "/v1/chat/completions",
      chat('"content":"PRJ-1"', ',"logprobs":{"content":[{"token":"PRJ","logprob":-1}]}'),
      chat('"content":"[REDACTED]"', ',"logprobs":null'),
    ],
    [
      "blocks of text",
      "/v1/messages",
      messages('{"type":"text","text":"PRJ-1"},{"type":"text","text":"fine"}'),
      messages('{"type":"text","text":"[REDACTED]"},{"type":"text","text":"fine"}'),
    ],
    [
      "a tool's input: values, numbers and keys",
      "/v1/messages",
      messages('{"type":"tool_use","id":"t","name":"f","input":{"PRJ-1": [1, "a PRJ-2"]}}'),
      messages(
        '{"type":"tool_use","id":"t","name":"f","input":{"[REDACTED]": [1, "a [REDACTED]"]}}',
      ),
    ],
    [
      "not what only the provider can read",
      "/v1/messages",
      messages('{"type":"redacted_thinking","data":"PRJ-1"}'),
      messages('{"type":"redacted_thinking","data":"PRJ-1"}'),
    ],
    [
      "thinking that is not signed",
      "/v1/messages",
      messages('{"type":"thinking","thinking":"PRJ-1","signature":""}'),
      messages('{"type":"thinking","thinking":"[REDACTED]","signature":""}'),
    ],
  ])("redact %s", async (_name, path, answer, shown) => {
    const response = await ask(await keyWith(rule("redact")), { body: answer }, path);
    expect(await response.text()).toBe(shown);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-svc-payg-debited-cents")).not.toBeNull();
  });

  it.each<[name: string, policy: object, answer: Answered]>([
    ["a rule that blocks", rule("block"), { body: chat('"content":"PRJ-1"') }],
    [
      "a redaction of two characters",
      rule("redact", { regex: "J[0-9]" }),
      { body: chat('"content":"J1"') },
    ],
    [
      "a redaction in signed thinking",
      rule("redact"),
      { body: messages('{"type":"thinking","thinking":"PRJ-1","signature":"c2ln"}') },
    ],
    ["a broken JSON", rule("redact"), { body: '{"choices":[' }],
    [
      "an encoding that nobody asked for",
      rule("redact"),
      { body: Buffer.from("x"), headers: { "content-encoding": "br" } },
    ],
    [
      "an unknown type",
      rule("redact"),
      { body: "PRJ-1", headers: { "content-type": "application/octet-stream" } },
    ],
  ])("%s is a 403 on both wires that bills nothing", async (_name, policy, answer) => {
    const secret = await keyWith(policy);
    const before = (await api.call("GET", `orgs/${orgId}/balance`)).body;
    const onChat = await ask(secret, answer);
    expect(onChat.status).toBe(403);
    expect(onChat.headers.get("x-svc-error-source")).toBe("gateway");
    expect(await onChat.json()).toMatchObject({
      error: { code: "security_blocked", source: "gateway", type: "permission_error" },
    });
    const onMessages = await ask(secret, answer, "/v1/messages");
    expect(onMessages.status).toBe(403);
    expect(await onMessages.json()).toEqual({
      type: "error",
      error: { type: "permission_error", message: expect.any(String) as string },
    });
    expect((await api.call("GET", `orgs/${orgId}/balance`)).body).toEqual(before);
  });

  it("are noted and nothing is done in a dry run or where they only flag", async () => {
    const body = chat('"content":"PRJ-1 and PRJ-2"');
    for (const policy of [rule("flag"), { ...rule("block"), dryRun: true }]) {
      const response = await ask(await keyWith(policy), { body });
      expect(await response.text()).toBe(body);
      const id = response.headers.get("x-svc-request-id");
      const line = gateway.log.find((one) => one["request_id"] === id && one["msg"] === "request");
      expect(line?.["policy"]).toMatchObject({ output: { custom_pattern: 2 } });
    }
  });

  it("find entities too", async () => {
    const entities = [{ category: "pii", action: "redact", direction: "both" }];
    const secret = await keyWith({ entities });
    const response = await ask(secret, { body: chat('"content":"write to jane.roe@example.com"') });
    expect(await response.text()).toBe(chat('"content":"write to <EMAIL>"'));
  });

  it("hold for answers to own keys, of any path", async () => {
    const secret = await keyWith(rule("redact"));
    const answer = { body: '{"output":[{"content":[{"type":"output_text","text":"PRJ-1"}]}]}' };
    const response = await askOwnKeys(secret, answer, "/v1/responses");
    expect(await response.text()).toBe(
      '{"output":[{"content":[{"type":"output_text","text":"[REDACTED]"}]}]}',
    );
    const asked = upstream.received.at(-1)?.rawHeaders ?? [];
    expect(asked[asked.findIndex((name) => name.toLowerCase() === "accept-encoding") + 1]).toBe(
      "identity",
    );
    const stream = { body: "data: PRJ-1\n\n", headers: { "content-type": "text/event-stream" } };
    expect((await askOwnKeys(secret, stream, "/v1/responses")).status).toBe(403);
    const image = { body: "PRJ-1", headers: { "content-type": "image/png" } };
    expect((await askOwnKeys(secret, image, "/v1/images")).status).toBe(200);
  });
});
