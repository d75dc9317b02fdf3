import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { chatEvents, messagesEvents, sse, textsOf } from "../pipeline/policy/streamed-texts.ts";

let events: readonly string[];
let encoding: Readonly<Record<string, string>> = {};
/** What a match begins with waits for this, so that a test can see the stream begin before it. */
let beforeMatch: Promise<void> = Promise.resolve();
/** Whether the provider's last stream was written to its end. */
let wroteAll: Promise<boolean>;
let upstream: Recorder;
let gateway: TestGateway;
let api: KeysApi;
let orgId: string;

beforeAll(async () => {
  upstream = await startRecorder((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...encoding });
    wroteAll = (async () => {
      for (const event of events) {
        if (response.destroyed) return false;
        if (event.includes("PRJ-")) await beforeMatch;
        response.write(event);
        await sleep(2);
      }
      response.end();
      return true;
    })();
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

const rule = (action: string, regex = "PRJ-[0-9]{2}"): object => ({
  customPatterns: [{ name: "one", regex, direction: "output", action }],
});

const requestBody =
  '{"model":"p/m","max_tokens":50,"stream":true,"messages":[{"role":"user","content":"hi"}]}';

async function ask(secret: string, path: string): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}` },
    body: requestBody,
  });
}

async function askOwnKeys(secret: string, path: string): Promise<Response> {
  return fetch(gateway.url + path, {
    method: "POST",
    headers: {
      authorization: "Bearer own",
      "x-svc-api-key": secret,
      "x-svc-upstream-url": upstream.origin,
    },
    body: requestBody,
  });
}

const usage = sse({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 9 } });
function chat(...pieces: string[]): string[] {
  const all = chatEvents([[{ kind: "text", pieces }]]);
  return [...all.slice(0, -1), usage, ...all.slice(-1)];
}

function messages(...pieces: string[]): string[] {
  const all = messagesEvents([{ kind: "text", pieces }]);
  const delta = { type: "message_delta", delta: {}, usage: { input_tokens: 7, output_tokens: 9 } };
  return [...all.slice(0, -1), `event: message_delta\n${sse(delta)}`, ...all.slice(-1)];
}

async function lineOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const id = response.headers.get("x-svc-request-id");
  const find = () =>
    gateway.log.find((line) => line["request_id"] === id && line["msg"] === "request");
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

async function balance(): Promise<unknown> {
  return (await api.call("GET", `orgs/${orgId}/balance`)).body?.["data"];
}

describe("rules for streamed answers", () => {
  it.each<[wire: string, path: string, stream: string[]]>([
    ["chat", "/v1/chat/completions", chat("a ", "PR", "J-", "1", "7 b")],
    ["messages", "/v1/messages", messages("a ", "PR", "J-", "1", "7 b")],
  ])("redact what is split over events on %s, and bill the stream", async (_w, path, stream) => {
    events = stream;
    const response = await ask(await keyWith(rule("redact")), path);
    expect(textsOf(await response.text())).toEqual({ 0: "a [REDACTED] b" });
    expect(await lineOf(response)).toMatchObject({
      end: "complete",
      error_code: null,
      cost_usd: "0.000025",
      policy: { action: "redact", output: { custom_pattern: 1 } },
    });
  });

  it.each<[wire: string, path: string, stream: string[], last: RegExp]>([
    [
      "chat",
      "/v1/chat/completions",
      chat("long before the", " match there is text ", "PRJ-1", "7 b", " and so on"),
      /\ndata: \{"error":\{"code":"security_blocked"[^\n]*"source":"gateway","type":"permission_error"[^\n]*\}\n\n$/,
    ],
    [
      "messages",
      "/v1/messages",
      messages("long before the", " match there is text ", "PRJ-1", "7 b", " and so on"),
      /\nevent: error\ndata: \{"type":"error","error":\{"type":"permission_error","message":"[^"]+"\}\}\n\n$/,
    ],
  ])("cut a stream that has begun on %s: it is billed", async (_w, path, stream, last) => {
    events = stream;
    let goOn = (): void => undefined;
    beforeMatch = new Promise((resolve) => (goOn = resolve));
    const response = await ask(await keyWith(rule("block")), path);
    expect(response.status).toBe(200);
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes("long before")) goOn();
    }
    expect(text).toMatch(last);
    expect(text).not.toContain("PRJ");
    expect(text).toContain("long before");
    expect(await wroteAll).toBe(true);
    expect(await lineOf(response)).toMatchObject({
      end: "blocked",
      error_code: "security_blocked",
      cost_usd: "0.000025",
      policy: { action: "block", output: { custom_pattern: 1 } },
    });
  });

  it("refuse one that has not begun: 403, nothing billed", async () => {
    events = chat("PRJ-1", "7");
    const before = await balance();
    const response = await ask(await keyWith(rule("block")), "/v1/chat/completions");
    expect(response.status).toBe(403);
    expect(response.headers.get("x-svc-error-source")).toBe("gateway");
    expect(await response.json()).toMatchObject({ error: { code: "security_blocked" } });
    expect(await balance()).toEqual(before);
  });

  it("find entities in a block that is held to its end", async () => {
    events = messages("write to jane.", "roe@exam", "ple.com", " today");
    const entities = [{ category: "pii", action: "redact", direction: "output" }];
    const response = await ask(await keyWith({ entities }), "/v1/messages");
    expect(textsOf(await response.text())).toEqual({ 0: "write to <EMAIL> today" });
  });

  it("abort a stream to own keys, and redact one", async () => {
    const before = ["long before the", " match there is text "];
    // So many that the provider is not done, however long the search of the match takes.
    events = chat(...before, "PRJ-17", ...Array.from({ length: 20_000 }, () => "x"));
    let goOn = (): void => undefined;
    beforeMatch = new Promise((resolve) => (goOn = resolve));
    const blocked = await askOwnKeys(await keyWith(rule("block")), "/v1/chat/completions");
    expect(blocked.status).toBe(200);
    goOn();
    expect(await blocked.text()).toContain("security_blocked");
    expect(await wroteAll).toBe(false);
    expect(await lineOf(blocked)).toMatchObject({ end: "blocked", cost_usd: "0.000000" });
    events = chat(...before, "PRJ-17", "x", "x", "x");
    const shown = await askOwnKeys(await keyWith(rule("redact")), "/v1/chat/completions");
    expect(textsOf(await shown.text())["0"]).toContain("text [REDACTED]xxx");
  });

  it("refuse a stream that can't be read", async () => {
    const secret = await keyWith(rule("redact"));
    events = chat("PRJ-17");
    expect((await askOwnKeys(secret, "/v1/completions")).status).toBe(403);
    encoding = { "content-encoding": "br" };
    expect((await ask(secret, "/v1/chat/completions")).status).toBe(403);
    encoding = {};
  });

  it.each<[name: string, policy: object]>([
    ["in a dry run", { ...rule("block"), dryRun: true }],
    ["where they only flag", rule("flag")],
  ])("change nothing %s", async (_name, policy) => {
    events = chat("a PR", "J-17 b").filter((event) => event !== usage);
    const response = await ask(await keyWith(policy), "/v1/chat/completions");
    expect(await response.text()).toBe(events.join(""));
    expect(await lineOf(response)).toMatchObject({ policy: { output: { custom_pattern: 1 } } });
  });

  it("end a stream that the provider cuts, with what of it may go on", async () => {
    events = chat("a ", "PRJ-17", " b PRJ-").slice(0, 3);
    const response = await ask(await keyWith(rule("redact")), "/v1/chat/completions");
    const text = await response.text();
    expect(textsOf(text)["0"]).toBe("a [REDACTED] b PRJ-");
    expect(text).toContain("upstream_error_in_2xx");
  });
});
