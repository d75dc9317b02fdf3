import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { RawSocket, statusesOf } from "../support/raw-socket.ts";
import { chunked, filling, upload } from "../support/upload.ts";

/*
 * Answers to requests whose bodies are still on their way (RFC 9112 section 9.6): a connection that is
 * closed while bytes arrive is reset, and a client that sends first and reads then never sees the answer.
 */

const mib = 1024 * 1024;
const uploadBytes = 12 * mib;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ env: { GATEWAY_MAX_BODY_SIZE: String(mib) } });
});
afterAll(() => gateway.stop());

const wrong = `sk-gw-${"0".repeat(48)}`;

interface Early {
  readonly name: string;
  readonly on?: "keys";
  readonly path: string;
  readonly headers: readonly string[];
  readonly status: number;
  readonly code: string;
}

const chat = "/v1/chat/completions";
const cases = (): readonly Early[] => [
  {
    name: "too large",
    path: chat,
    headers: [`Authorization: Bearer ${gateway.key}`],
    ...{ status: 413, code: "request_too_large" },
  },
  {
    name: "too large, a scan",
    path: "/v1/security/scan",
    headers: [`Authorization: Bearer ${gateway.key}`],
    ...{ status: 413, code: "request_too_large" },
  },
  {
    name: "too large, keys API",
    on: "keys",
    path: "/api/v1/gateway/orgs",
    headers: [`Authorization: Bearer ${gateway.operatorKey}`],
    ...{ status: 413, code: "request_too_large" },
  },
  {
    name: "a key that is not valid",
    path: chat,
    headers: [`Authorization: Bearer ${wrong}`],
    ...{ status: 401, code: "invalid_key" },
  },
  {
    name: "a key that is not valid, keys API",
    on: "keys",
    path: "/api/v1/gateway/orgs",
    headers: [`Authorization: Bearer ${wrong}`],
    ...{ status: 401, code: "invalid_key" },
  },
  {
    name: "an upstream that is missing",
    path: chat,
    headers: ["Authorization: Bearer provider-key"],
    ...{ status: 400, code: "missing_upstream_header" },
  },
  {
    name: "no such route",
    path: "/v1/security/else",
    headers: [],
    ...{ status: 404, code: "unknown_route" },
  },
  {
    name: "a wrong method",
    path: "/v1/models",
    headers: [],
    ...{ status: 405, code: "method_not_allowed" },
  },
  {
    name: "framing",
    path: chat,
    headers: ["Content-Encoding: compress"],
    ...{ status: 400, code: "invalid_request" },
  },
  {
    name: "an expectation in capitals",
    path: chat,
    headers: [`Authorization: Bearer ${wrong}`, "Expect: 100-Continue"],
    ...{ status: 401, code: "invalid_key" },
  },
];

const names = [
  "too large",
  "too large, a scan",
  "too large, keys API",
  "a key that is not valid",
  "a key that is not valid, keys API",
  "an upstream that is missing",
  "no such route",
  "a wrong method",
  "framing",
  "an expectation in capitals",
] as const;

function headOf({ path, headers }: Early, length: number | "chunked"): string {
  const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  const lines = [`POST ${path} HTTP/1.1`, "Host: g", framing, "Connection: close", ...headers];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function find(name: string): { early: Early; url: string } {
  const early = cases().find((one) => one.name === name);
  if (early === undefined) throw new Error(name);
  return { early, url: early.on === "keys" ? gateway.keysUrl : gateway.url };
}

/** Checks an answer that is whole: its status, its code, and as many bytes as it says. */
function expectWhole(text: string, { status, code }: Early): void {
  const answer = text.slice(text.lastIndexOf(`HTTP/1.1 ${status}`));
  const end = answer.indexOf("\r\n\r\n");
  expect(statusesOf(text).at(-1)).toBe(status);
  const body = answer.slice(end + 4);
  expect(/^content-length: (\d+)$/im.exec(answer.slice(0, end))?.[1]).toBe(String(body.length));
  expect(JSON.parse(body)).toMatchObject({ error: { code } });
}

describe("a client that sends all of its body first gets its answer, and no reset", () => {
  test.each(names)("%s", async (name) => {
    const { early, url } = find(name);
    const got = await upload(url, headOf(early, uploadBytes), filling(uploadBytes));
    expect(got.error).toBe(null);
    expectWhole(got.text, early);
  });

  test.each(names)("%s, in chunks", async (name) => {
    const { early, url } = find(name);
    const got = await upload(url, headOf(early, "chunked"), chunked(uploadBytes));
    expect(got.error).toBe(null);
    expectWhole(got.text, early);
  });
});

describe("the answer does not wait for the rest of the body", () => {
  test.each(names.flatMap((name) => [[name, uploadBytes] as const, [name, "chunked"] as const]))(
    "%s, %s",
    async (name, length) => {
      const { early, url } = find(name);
      const raw = await RawSocket.open(url);
      raw.send(headOf(early, length));
      const pieces = length === "chunked" ? chunked(uploadBytes) : filling(uploadBytes);
      // What is too large in chunks is known to be only once so much has come.
      const first = early.status === 413 && length === "chunked" ? uploadBytes - mib : 1;
      let sent = 0;
      for (const piece of pieces) {
        raw.send(piece);
        sent += piece.length;
        if (sent >= first) break;
      }
      const { text } = await raw.until(({ text }) => /"code":"\w+"[^]*\}\}\s*$/.test(text));
      expectWhole(text, early);
      for (const piece of length === "chunked" ? chunked(1) : filling(uploadBytes - sent)) {
        raw.send(piece);
      }
      expect((await raw.until(({ closed }) => closed)).closed).toBe(true);
      expect(raw.text).toBe(text);
    },
  );
});

describe("a body that ends in the same read", () => {
  test.each(names.filter((name) => !name.startsWith("too large")))("%s", async (name) => {
    const { early, url } = find(name);
    for (const [length, body] of [
      [2, "{}"],
      ["chunked", "2\r\n{}\r\n0\r\n\r\n"],
    ] as const) {
      const raw = await RawSocket.open(url);
      raw.send(headOf(early, length) + body);
      const answer = await raw.until(({ closed }) => closed);
      expect(answer.closed).toBe(true);
      expectWhole(answer.text, early);
    }
  });

  test("nothing behind it is run", async () => {
    const { early, url } = find("a key that is not valid");
    const raw = await RawSocket.open(url);
    raw.send(`${headOf(early, 2)}{}GET /healthz HTTP/1.1\r\nHost: g\r\n\r\n`);
    const answer = await raw.until(({ closed }) => closed);
    expect(answer.closed).toBe(true);
    expect(statusesOf(answer.text).filter((status) => status === 200)).toEqual([]);
    raw.destroy();
  });
});
