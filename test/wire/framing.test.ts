import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { exchangeRaw, RawSocket, statusesOf, type RawAnswer } from "../support/raw-socket.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const body = '{"model":"demo/echo","messages":[{"role":"user","content":"hi"}]}';

/** By path: a request of each model endpoint, and what stands in its answer. */
const endpoints = {
  "/v1/chat/completions": [body, "chat.completion"],
  "/v1/messages": [body.replace("{", '{"max_tokens":9,'), "assistant"],
  "/v1/responses": ['{"model":"demo/echo","input":"hi"}', "output_text"],
  "/v1/embeddings": ['{"model":"demo/echo","input":"hi"}', "embedding"],
  "/v1/messages/count_tokens": [body, "input_tokens"],
} as const;
// Object.entries returns the union of the types, so the tuples are restored here.
const everyEndpoint = Object.entries(endpoints).map(([path, row]) => [path, ...row] as const);

function post(
  headers: readonly string[],
  payload: string = body,
  path = "/v1/chat/completions",
): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: gateway",
    `Authorization: Bearer ${gateway.key}`,
    ...headers,
    "",
    payload,
  ].join("\r\n");
}

const smuggled = "GET /version HTTP/1.1\r\nHost: gateway\r\n\r\n";

describe("ambiguous framing is refused and its connection closed", () => {
  const cases: [string, string[]][] = [
    ["two Content-Lengths", [`Content-Length: ${body.length}`, "Content-Length: 5"]],
    [
      "the same Content-Length twice",
      [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`],
    ],
    ["an empty Content-Length", ["Content-Length: "]],
    ["an odd Content-Length", ["Content-Length: +66"]],
    ["a length beside chunked", [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"]],
    ["Transfer-Encoding: gzip, chunked", ["Transfer-Encoding: gzip, chunked"]],
    ["Transfer-Encoding: identity", ["Transfer-Encoding: identity"]],
    ["no length", []],
    ["a length behind an empty header name", [": x", `Content-Length: ${body.length}`]],
  ];
  test.each(
    cases.flatMap(([name, headers]) => everyEndpoint.map(([path]) => ({ name, headers, path }))),
  )("$name at $path", async ({ headers, path }) => {
    const { text, closed } = await exchangeRaw(gateway.url, post(headers, body, path) + smuggled);
    expect(closed).toBe(true);
    // Either our envelope or uWS's own 400, or nothing at all; never an answer to what hid behind.
    expect(statusesOf(text).filter((status) => status !== 400)).toEqual([]);
  });

  test.each(cases)("%s, nothing behind it: the client is told", async (name, headers) => {
    const { text, closed } = await exchangeRaw(gateway.url, post(headers, ""));
    expect(closed).toBe(true);
    expect(statusesOf(text), name).toEqual([400]);
  });
});

describe("chunked bodies", () => {
  const chunked = (payload: string): string => post(["Transfer-Encoding: chunked"], payload);

  test.each(everyEndpoint)("well formed, at %s", async (path, body, answered) => {
    const half = Math.floor(body.length / 2);
    const payload = `${half.toString(16)}\r\n${body.slice(0, half)}\r\n${(body.length - half).toString(16)}\r\n${body.slice(half)}\r\n0\r\n\r\n`;
    const request = post(["Transfer-Encoding: chunked"], payload, path);
    const { text } = await exchangeRaw(gateway.url, request, ({ text }) => text.includes(answered));
    expect(statusesOf(text)).toEqual([200]);
  });

  test.each([
    ["no size", "zz\r\n{}\r\n0\r\n\r\n"],
    ["a negative size", "-5\r\n{}\r\n0\r\n\r\n"],
    ["a size that is no size", "0x5\r\nhello\r\n0\r\n\r\n"],
  ])("garbage: %s", async (_name, payload) => {
    const { text, closed } = await exchangeRaw(gateway.url, chunked(payload) + smuggled);
    expect(closed).toBe(true);
    expect(statusesOf(text)).not.toContain(200);
  });
});

describe("nothing behind a chunked body is run", () => {
  const hex = body.length.toString(16);
  const whole = `${hex}\r\n${body}\r\n0\r\n\r\n`;
  const streamed = body.replace("{", '{"stream":true,');
  const stream = `${streamed.length.toString(16)}\r\n${streamed}\r\n0\r\n\r\n`;
  const head = (path: string, key: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chat = (key = gateway.key): string => head("/v1/chat/completions", key);
  /** Trailers that are a request for who takes the end of the body for the end of the request. */
  const trailers = "0\r\nXXGET /version HTTP/1.1\r\nHost: g\r\nX-Sum: 1\r\n\r\n";

  test.each<[string, () => string]>([
    ["a whole answer", () => chat() + whole + smuggled],
    ["a stream", () => chat() + stream + smuggled],
    ["trailers", () => chat() + whole.replace("0\r\n\r\n", trailers)],
    ["trailers of a stream", () => chat() + stream.replace("0\r\n\r\n", trailers)],
    ["a wrong key", () => chat("sk-gw-wrong") + whole + smuggled],
    ["trailers and a wrong key", () => chat("sk-gw-wrong") + whole.replace("0\r\n\r\n", trailers)],
    ["no such path", () => head("/v1/x", gateway.key) + whole + smuggled],
    ["an answer at once", () => head("/version", "x").replace("POST", "GET") + whole + smuggled],
  ])("in the same packet: %s", async (_name, request) => {
    const { text, closed } = await exchangeRaw(gateway.url, request());
    expect(closed).toBe(true);
    expect(statusesOf(text).length).toBeLessThanOrEqual(1);
    if (!request().startsWith("GET")) expect(text).not.toContain('"version"');
  });

  test.each<[string, () => string, number]>([
    ["a whole answer", () => chat() + whole, 200],
    ["a stream", () => chat() + stream, 200],
    ["a wrong key", () => chat("sk-gw-wrong") + whole, 401],
    ["no such path", () => head("/v1/x", gateway.key) + whole, 404],
  ])("when the answer is there: %s", async (_name, request, status) => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(request());
    await raw.until(({ text, closed }) => closed || text.endsWith("\r\n0\r\n\r\n"));
    expect(statusesOf(raw.text)).toEqual([status]);
    expect(raw.text).toMatch(/\r\nConnection: close\r\n/);
    raw.send(smuggled);
    await raw.until(({ closed, text }) => closed || statusesOf(text).length > 1, 1_000);
    expect(statusesOf(raw.text)).toEqual([status]);
    raw.destroy();
  });

  // uWS reads `5;` as 0x5b: the body swallows what follows, and nothing of it is a request.
  test.each(["5;", "5;a=b", "5 ;a=b"])(
    "in the same packet: a chunk extension, %s",
    async (size) => {
      const request = `${chat()}${size}\r\nhello\r\n0\r\n\r\n${smuggled.repeat(4)}`;
      const { text } = await exchangeRaw(gateway.url, request, ({ closed }) => closed, 1_000);
      expect(statusesOf(text).length).toBeLessThanOrEqual(1);
      expect(text).not.toContain('"version"');
    },
  );

  test("trailers of a refused request that come late", async () => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(`${chat("sk-gw-wrong")}${hex}\r\n${body}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    raw.send("0\r\nXX");
    await new Promise((resolve) => setTimeout(resolve, 100));
    raw.send("GET /version HTTP/1.1\r\nHost: g\r\n\r\n");
    await raw.until(({ closed }) => closed);
    expect(raw.closed).toBe(true);
    expect(statusesOf(raw.text)).toEqual([401]);
    raw.destroy();
  });

  test("a slow client's stream is whole, and nothing behind it is run", async () => {
    const long = JSON.stringify({
      model: "demo/echo",
      stream: true,
      messages: [{ role: "user", content: "lorem ipsum ".repeat(60_000) }],
    });
    const raw = await RawSocket.open(gateway.url);
    raw.socket.pause();
    raw.send(`${chat()}${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    raw.socket.resume();
    await raw.until(({ text, closed }) => closed || text.endsWith("\r\n0\r\n\r\n"), 20_000);
    expect(raw.text).toContain("[DONE]");
    raw.send(smuggled);
    await raw.until(({ closed, text }) => closed || statusesOf(text).length > 1, 1_000);
    expect(statusesOf(raw.text)).toEqual([200]);
    raw.destroy();
  });

  test("fetch with a stream as its body, one after another and refused ones too", async () => {
    const ask = (key: string) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: new Blob([body]).stream(),
        duplex: "half",
      });
    for (let i = 0; i < 20; i++) {
      const key = i % 2 === 0 ? gateway.key : "sk-gw-wrong";
      const response = await ask(key);
      expect(response.status).toBe(key === gateway.key ? 200 : 401);
      expect(await response.json()).toBeTypeOf("object");
    }
  });
});

describe("one connection", () => {
  test("1,000 requests one after another", { timeout: 120_000 }, async () => {
    const raw = await RawSocket.open(gateway.url);
    // Only what is new is searched: a megabyte comes in all.
    let read = 0;
    for (let n = 1; n <= 1000; n++) {
      raw.send(post([`Content-Length: ${body.length}`]));
      const isAnswered = ({ text }: RawAnswer) => text.includes("chat.completion", read);
      await raw.until((answer) => answer.closed || isAnswered(answer), 30_000);
      read = raw.text.length;
      if (raw.closed) break;
    }
    expect(statusesOf(raw.text)).toHaveLength(1000);
    expect(new Set(statusesOf(raw.text))).toEqual(new Set([200]));
    raw.destroy();
  });

  test("a request behind an early refusal is answered in its turn", async () => {
    const refused = `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nContent-Length: 5\r\n\r\nhello`;
    const { text } = await exchangeRaw(
      gateway.url,
      refused + smuggled,
      ({ text }) => statusesOf(text).length === 2,
    );
    expect(statusesOf(text)).toEqual([401, 200]);
  });

  test("bytes of a refused body are never taken for a request", async () => {
    const hidden = `POST /v1/x HTTP/1.1\r\nHost: g\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
    const { text } = await exchangeRaw(
      gateway.url,
      hidden + smuggled + smuggled,
      ({ text }) => statusesOf(text).length === 2,
    );
    expect(statusesOf(text)).toEqual([404, 200]);
  });
});

describe.each(["100-continue", "100-Continue"])("a client that expects %s", (expectation) => {
  const streamed = body.replace("{", '{"stream":true,');
  const expect100 = `Expect: ${expectation}`;
  const length = `Content-Length: ${body.length}`;

  test.each([
    ["a body of a length", [length], body, 200],
    [
      "a chunked body",
      ["Transfer-Encoding: chunked"],
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      200,
    ],
    ["a stream", [`Content-Length: ${streamed.length}`], streamed, 200],
    ["a refusal", [length, "X-Svc-Provider: nobody"], body, 400],
  ])("is told to send %s, and then answered", async (_name, headers, sent, status) => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(post([expect100, ...headers], ""));
    const { text } = await raw.until(({ text }) => text.includes("\r\n\r\n"), 2_000);
    expect(text).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    raw.send(sent);
    const ended = /(?:\[DONE\]\n\n|\r\n\r\n\{.*\})(?:\r\n0\r\n\r\n)?$/s;
    const answer = await raw.until(({ text }) => ended.test(text));
    expect(statusesOf(answer.text)).toEqual([100, status]);
    expect(answer.text).toMatch(/\r\nX-Svc-Request-Id: req_/);
    raw.destroy();
  });

  test("sends the next request on the same connection", async () => {
    const raw = await RawSocket.open(gateway.url);
    for (const answers of [1, 2]) {
      raw.send(post([expect100, length], ""));
      await raw.until(({ text }) => statusesOf(text).length === 2 * answers - 1, 2_000);
      raw.send(body);
      await raw.until(({ text }) => statusesOf(text).length === 2 * answers);
    }
    expect(statusesOf(raw.text)).toEqual([100, 200, 100, 200]);
    raw.destroy();
  });
});

describe("clients that misbehave", () => {
  test("a half-close counts as leaving, and the gateway goes on", async () => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(post([`Content-Length: ${body.length}`], body.slice(0, 10)));
    raw.socket.end();
    expect((await raw.until(({ closed }) => closed)).closed).toBe(true);
    expect((await fetch(`${gateway.url}/version`)).status).toBe(200);
  });

  test("headers that trickle are served", async () => {
    const raw = await RawSocket.open(gateway.url);
    for (const piece of ["GET /ver", "sion HTTP/1.1\r\nHo", "st: g\r\n", "\r\n"]) {
      raw.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(statusesOf((await raw.until(({ text }) => text.includes("version"))).text)).toEqual([
      200,
    ]);
    raw.destroy();
  });

  test("headers over 16 KiB are refused, 8 KiB are taken", async () => {
    const withHeader = (length: number): string =>
      `GET /version HTTP/1.1\r\nHost: g\r\nX-Long: ${"a".repeat(length)}\r\n\r\n`;
    const taken = await exchangeRaw(gateway.url, withHeader(8_000), ({ text }) => text !== "");
    expect(statusesOf(taken.text)).toEqual([200]);
    const refused = await exchangeRaw(gateway.url, withHeader(20_000));
    expect(statusesOf(refused.text)).not.toContain(200);
    expect(refused.closed).toBe(true);
  });

  test("a header that carries a line break to the client is dropped", async () => {
    const response = await fetch(`${gateway.url}/v1/models?limit=%0d%0aX-Evil:1`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(response.headers.has("x-evil")).toBe(false);
  });
});
