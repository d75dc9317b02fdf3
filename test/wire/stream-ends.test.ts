import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { dataEvent } from "../support/scripted-provider.ts";
import { namedEvent, streamedWires } from "../support/wires.ts";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the provider writes, a piece a read; it never ends its response by itself. */
let pieces: readonly string[];
let open: ServerResponse[] = [];
let upstream: Recorder;
let gateway: TestGateway;
let api: KeysApi;
let orgId: string;

beforeAll(async () => {
  upstream = await startRecorder((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    open.push(response);
    void (async () => {
      for (const piece of pieces) {
        response.write(piece);
        await pause(20);
      }
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

afterEach(() => {
  for (const response of open) response.destroy();
  open = [];
});

function ask(
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const { request } = streamedWires.find((wire) => wire.path === path) ?? {};
  return fetch(gateway.url + path, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...request, stream: true }),
    signal,
  });
}

const paid = (key = gateway.key) => ({ authorization: `Bearer ${key}` });
const own = () => ({
  authorization: "Bearer provider-key",
  "x-svc-api-key": gateway.key,
  "x-svc-upstream-url": upstream.origin,
});

const [{ sse: chat }, { sse: messages }, { sse: responses }] = streamedWires;
const [chunk, , done] = chat;

/** What would cost more. */
const dearer = (kind: string): string =>
  dataEvent({ choices: [], usage: { [`${kind}_tokens`]: 5_000, completion_tokens: 5_000 } });

async function holds(): Promise<unknown> {
  return (await api.call("GET", `orgs/${orgId}/balance`)).body?.["holds"];
}

const lastLine = (): Readonly<Record<string, unknown>> | undefined =>
  gateway.log.filter((line) => line["msg"] === "request").at(-1);

describe("a stream whose provider keeps its response open is over with its last event", () => {
  test.each([
    ["chat", "/v1/chat/completions", chat, chunk + done],
    ["chat, its last line break late", "/v1/chat/completions", [...chat.slice(0, 2), done.slice(0, -1), "\n"], chunk + done],
    ["messages", "/v1/messages", messages, messages.join("")],
    ["chat, all in one, and more behind it", "/v1/chat/completions", [chat.join("") + dearer("prompt")], chunk + done],
    ["messages, the same", "/v1/messages", [messages.join("") + dearer("input")], messages.join("")],
    ["responses", "/v1/responses", responses, responses.join("")],
    ["responses, which pass to the last byte", "/v1/responses", [...responses, done], responses.join("") + done],
  ])("%s", async (_, path, sent, seen) => {
    pieces = sent;
    const response = await ask(path, paid());
    expect(await response.text()).toBe(seen);
    expect(open[0]?.writableEnded).toBe(false);
    await expect.poll(lastLine).toMatchObject({ cost_usd: "0.000020", end: "complete" });
    expect(await holds()).toBe(0);
    // After a while its connection is closed.
    await expect.poll(() => open[0]?.destroyed, { timeout: 5_000 }).toBe(true);
  }); // prettier-ignore

  test("to own keys", async () => {
    pieces = chat;
    const response = await ask("/v1/chat/completions", own());
    expect(await response.text()).toBe(chat.join(""));
    await expect.poll(lastLine).toMatchObject({ own_keys: true, end: "complete" });
  });

  test.each([
    ["response.completed", "complete", null],
    ["response.incomplete", "complete", null],
    ["response.failed", "provider_error", "upstream_error_in_2xx"],
    ["error", "provider_error", "upstream_error_in_2xx"],
  ])("responses, whose client closes right after %s", async (last, end, errorCode) => {
    pieces = [namedEvent("response.created", { response: {} }), namedEvent(last, { response: {} })];
    const controller = new AbortController();
    const response = await ask("/v1/responses", own(), controller.signal);
    let seen = "";
    for await (const bytes of response.body ?? []) {
      seen += Buffer.from(bytes).toString();
      if (seen === pieces.join("")) break;
    }
    controller.abort();
    const id = response.headers.get("x-svc-request-id");
    const line = () => gateway.log.find((each) => each["request_id"] === id && "end" in each);
    await expect.poll(line).toMatchObject({ own_keys: true, end });
    expect(line()?.["error_code"] ?? null).toBe(errorCode);
  });

  test("responses pass to the last byte", async () => {
    pieces = [namedEvent("response.completed", { response: {} }), done];
    const response = await ask("/v1/responses", own());
    expect(await response.text()).toBe(pieces.join(""));
    await expect.poll(lastLine).toMatchObject({ own_keys: true, end: "complete" });
  });

  test("under rules", async () => {
    const { secret } = await api.ruledKey(orgId, {
      customPatterns: [{ name: "one", regex: "Par[a-z]s", direction: "output", action: "redact" }],
    });
    pieces = chat;
    const text = await (await ask("/v1/chat/completions", paid(secret))).text();
    expect(text).not.toContain("Paris");
    expect(text).toContain("[DONE]");
    await expect.poll(lastLine).toMatchObject({ cost_usd: "0.000020", end: "complete" });
  });

  test.each(streamedWires)(
    "whose client has left, $name",
    async ({ path, sse: [first, ...rest] }) => {
      pieces = [first, ...Array<string>(10).fill(": wait\n\n"), ...rest];
      const controller = new AbortController();
      const response = await ask(path, paid(), controller.signal);
      await response.body?.getReader().read();
      controller.abort();
      await expect
        .poll(lastLine, { timeout: 5_000 })
        .toMatchObject({ cost_usd: "0.000020", end: "complete", client_gone: true });
    },
  );

  test("also where it tells of an error", async () => {
    const error = dataEvent({ error: { message: "no" } });
    pieces = [chunk, error, done];
    const response = await ask("/v1/chat/completions", paid());
    expect(await response.text()).toBe(chunk + error + done);
    const failure = { end: "provider_error", error_code: "upstream_error_in_2xx" };
    await expect.poll(lastLine).toMatchObject(failure);
  });
});

test("a provider that ends its response a moment later keeps its connection", async () => {
  pieces = chat;
  await (await ask("/v1/chat/completions", paid())).text();
  const before = upstream.connections();
  open[0]?.end();
  await pause(50);
  await (await ask("/v1/chat/completions", paid())).text();
  expect(upstream.connections()).toBe(before);
});
