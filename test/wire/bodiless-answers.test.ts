import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { exchangeRaw, RawSocket, statusesOf } from "../support/raw-socket.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

let upstream: Recorder;
let gateway: TestGateway;
/** A key without rules for answers, and one with, whose answers are held. */
const keys = { plain: "", ruled: "" };

beforeAll(async () => {
  upstream = await startRecorder(({ url }, response) => {
    const query = new URLSearchParams(url.split("?")[1]);
    const length = query.get("length");
    response.writeHead(Number(query.get("status")), {
      "content-type": "application/json",
      etag: '"1"',
      ...(length === null ? {} : { "content-length": length }),
    });
    response.end();
  });
  gateway = await startGateway({ config: { network: { allowedInternalHosts: ["127.0.0.1"] } } });
  const api = new KeysApi(gateway);
  const orgId = await api.firstOrganization();
  const { secret } = await api.ruledKey(orgId, {
    customPatterns: [{ name: "one", regex: "PRJ-[0-9]{2}", direction: "output", action: "redact" }],
  });
  keys.plain = gateway.key;
  keys.ruled = secret;
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

function requestText(method: string, query: string, key: string, ...more: string[]): string {
  return [
    `${method} /v1/files/f?${query} HTTP/1.1`,
    "Host: gateway",
    `X-Svc-Api-Key: ${key}`,
    "Authorization: Bearer provider-key",
    `X-Svc-Upstream-Url: ${upstream.origin}`,
    ...more,
    "\r\n",
  ].join("\r\n");
}

/** The answer's header lines, and what came behind them. */
async function ask(method: string, query: string, key: string) {
  const request = requestText(method, query, key);
  const { text } = await exchangeRaw(gateway.url, request, (answer) =>
    answer.text.includes("\r\n\r\n"),
  );
  const [head = "", ...body] = text.split("\r\n\r\n");
  return {
    status: Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)),
    lengths: [...head.matchAll(/^content-length: (.*)$/gim)].map(([, length]) => length),
    etags: [...head.matchAll(/^etag: /gim)].length,
    body: body.join("\r\n\r\n"),
  };
}

describe.each(["plain", "ruled"] as const)("an answer without a body, to a %s key", (name) => {
  test.each([
    [200, "1234"],
    [200, "5000000000"],
    [404, "1234"],
    [404, "500000000"],
  ])("HEAD %i has a GET's length, %s", async (status, length) => {
    const answer = await ask("HEAD", `status=${status}&length=${length}`, keys[name]);
    expect(answer).toEqual({ status, lengths: [length], etags: 1, body: "" });
  });

  test.each([204, 304])("%i says no length", async (status) => {
    const answer = await ask("GET", `status=${status}`, keys[name]);
    expect(answer).toEqual({ status, lengths: [], etags: 1, body: "" });
  });

  test("304 does not say the length of what has not changed", async () => {
    const answer = await ask("GET", "status=304&length=500000000", keys[name]);
    expect(answer).toEqual({ status: 304, lengths: [], etags: 1, body: "" });
  });
});

test("HEAD of what is served here has a GET's length", async () => {
  const get = await fetch(`${gateway.url}/version`);
  const head = await fetch(`${gateway.url}/version`, { method: "HEAD" });
  expect(head.headers.get("content-length")).toBe(String((await get.text()).length));
});

describe("a connection goes on behind an answer without a body", () => {
  test.each([
    ["HEAD of what is served here", () => "HEAD /version HTTP/1.1\r\nHost: g\r\n\r\n", 200],
    ["HEAD that is refused", () => "HEAD /nothing HTTP/1.1\r\nHost: g\r\n\r\n", 404],
    ["HEAD of an upstream", () => requestText("HEAD", "status=200&length=1234", keys.plain), 200],
    ["HEAD of an upstream's error", () => requestText("HEAD", "status=404", keys.plain), 404],
    ["204", () => requestText("DELETE", "status=204", keys.plain), 204],
  ])("%s", async (_, request, status) => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(request());
    await raw.until(({ text }) => text.endsWith("\r\n\r\n"));
    raw.send("GET /healthz HTTP/1.1\r\nHost: g\r\n\r\n");
    const { text } = await raw.until(({ text }) => text.includes('{"status":"alive"}'));
    raw.destroy();
    expect(statusesOf(text)).toEqual([status, 200]);
  });
});

describe("the last answer on a connection, without a body", () => {
  test.each([
    ["POST", "status=204", []],
    ["HEAD", "status=200&length=1234", ["1234"]],
    ["HEAD", "status=404&length=1234", ["1234"]],
  ])("to a chunked %s, %s, says the length that it has", async (method, query, lengths) => {
    const request = requestText(method, query, keys.plain, "Transfer-Encoding: chunked");
    const raw = await RawSocket.open(gateway.url);
    raw.send(`${request}2\r\n{}\r\n0\r\n\r\n`);
    const { text } = await raw.until(({ text }) => text.endsWith("\r\n\r\n"));
    raw.destroy();
    expect([...text.matchAll(/^content-length: (.*)$/gim)].map(([, length]) => length)).toEqual(
      lengths,
    );
    expect(text).toContain("Connection: close\r\n");
  });
});
