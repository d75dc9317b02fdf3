import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

/* The format lets a line end with LF, CR LF or CR, and a stream begin with a byte order mark. */

/** What the provider writes, a piece a read; then it ends its response, or keeps it open. */
let pieces: readonly Buffer[];
/** Awaited behind all but the last piece. */
let beforeLast: Promise<unknown>;
let upstream: Recorder;
let gateway: TestGateway;
let api: KeysApi;
let orgId: string;
let ruled: string;

beforeAll(async () => {
  upstream = await startRecorder((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    void (async () => {
      for (const [at, piece] of pieces.entries()) {
        if (at === pieces.length - 1) await beforeLast;
        response.write(piece);
        await sleep(5);
      }
      response.end();
    })();
  });
  gateway = await startGatewayBefore(upstream.origin);
  api = new KeysApi(gateway);
  orgId = await api.firstOrganization();
  const pattern = { name: "one", regex: "PRJ-[0-9]{2}", direction: "output", action: "redact" };
  ruled = (await api.ruledKey(orgId, { customPatterns: [pattern] })).secret;
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  beforeLast = Promise.resolve();
});

const chunk = (content: string): string =>
  `data: {"id":"c","choices":[{"index":0,"delta":{"content":"${content}"}}]}`;
const role = 'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant"}}]}';
const usage =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}';
const chat = [chunk("Paris"), ": ping", chunk(" is"), usage, "data: [DONE]"];
const messages = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}}',
  'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{"output_tokens":5}}',
  'event: message_stop\ndata: {"type":"message_stop"}',
];

const streamOf = (events: readonly string[], end: string): string =>
  events.map((event) => `${event}\n\n`.replaceAll("\n", end)).join("");

/** Each of `size` bytes; 0: one for every event and all in one. */
function inPieces(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  if (size === 0) return [bytes];
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function ask(path: string, headers: Record<string, string>): Promise<Response> {
  const question = [{ role: "user", content: "hi" }];
  return fetch(gateway.url + path, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "p/m", stream: true, max_tokens: 10, messages: question }),
  });
}

const paid = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const own = (): Record<string, string> => ({
  authorization: "Bearer provider-key",
  "x-svc-api-key": gateway.key,
  "x-svc-upstream-url": upstream.origin,
});

/** What the request cost its organization; undefined: it is not in the ledger. */
async function debitOf(response: Response): Promise<number | undefined> {
  const { body } = await api.call("GET", `orgs/${orgId}/ledger?limit=1000`);
  const id = response.headers.get("x-svc-request-id");
  const entry = (body?.["data"] as Row[]).find(({ requestId }) => requestId === id);
  return entry?.["type"] === "debit" ? Number(entry["amountUsd"]) : undefined;
}

async function lineOf(response: Response): Promise<unknown> {
  const id = response.headers.get("x-svc-request-id");
  const find = (): unknown => gateway.log.find(({ request_id }) => request_id === id);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find();
}

const ends = [
  ["LF", "\n"],
  ["CR LF", "\r\n"],
  ["CR", "\r"],
] as const;

describe.each(ends)("lines that end with %s", (_name, end) => {
  test.each([
    ["chat", "/v1/chat/completions", chat, 0, ""],
    ["chat, cut into pieces", "/v1/chat/completions", chat, 7, ""],
    ["chat, behind a byte order mark", "/v1/chat/completions", chat, 0, "\ufeff"],
    ["messages", "/v1/messages", messages, 0, ""],
    ["messages, cut into pieces", "/v1/messages", messages, 7, ""],
    ["messages, behind a byte order mark", "/v1/messages", messages, 1, "\ufeff"],
  ] as const)("%s: whole, byte for byte, and debited", async (_, path, events, size, mark) => {
    pieces = inPieces(mark + streamOf(events, end), size);
    const response = await ask(path, paid(gateway.key));
    // The usage that the client did not ask for is kept from it.
    const seen = events.filter((event) => event !== usage);
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(mark + streamOf(seen, end));
    expect(await lineOf(response)).toMatchObject({ end: "complete", error_code: null });
    await expect.poll(() => debitOf(response), { timeout: 10_000 }).toBeGreaterThan(0);

    const verbatim = await ask(path, own());
    expect(Buffer.from(await verbatim.arrayBuffer()).toString()).toBe(mark + streamOf(events, end));
    expect(await lineOf(verbatim)).toMatchObject({ end: "complete" });
  });

  test("a rule for answers reads them and changes its part alone", async () => {
    const told = [chunk("PRJ-12 is"), ...chat.slice(2)];
    pieces = inPieces(streamOf(told, end), 11);
    const text = await (await ask("/v1/chat/completions", paid(ruled))).text();
    const seen = told.filter((event) => event !== usage);
    expect(text).toBe(streamOf(seen, end).replace("PRJ-12", "[REDACTED]"));
  });

  test.each([
    ["as they come", () => gateway.key],
    ["behind a rule for answers", () => ruled],
  ])("events reach the client %s, before the next one", async (_, key) => {
    // It says nothing that a rule would keep back.
    const first = streamOf([role], end);
    pieces = [Buffer.from(first), Buffer.from(streamOf(chat.slice(2), end))];
    const { promise, resolve } = Promise.withResolvers<null>();
    beforeLast = promise;
    const response = await ask("/v1/chat/completions", paid(key()));
    const reader = response.body?.getReader();
    let text = "";
    while (text.length < first.length) {
      text += Buffer.from((await reader?.read())?.value ?? []).toString();
    }
    expect(text).toBe(first);
    resolve(null);
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      text += Buffer.from(read.value).toString();
    }
    expect(text).toBe(first + streamOf([chunk(" is"), "data: [DONE]"], end));
  });

  test("one that is cut within an event is told of in an event of its own", async () => {
    pieces = inPieces(streamOf([chunk("Paris")], end) + chunk(" is") + end, 0);
    const text = await (await ask("/v1/chat/completions", paid(gateway.key))).text();
    const events = text.split(end + end).flatMap((event) => event.split("\n\n"));
    const last = events.filter((event) => event.trim() !== "").at(-1) ?? "";
    expect(last.trim()).toMatch(/^data: \{"error":\{"code":"upstream_error_in_2xx"[^\r\n]*$/);
  });
});
