import { request } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";

/** What the provider sends of an answer, byte for byte, and how its connection then ends. */
interface Broken {
  readonly head: string;
  readonly sent: string | Buffer;
  readonly how: "close" | "reset";
}

let provider: Server;
let origin: string;
let gateway: TestGateway;
let answer: Broken;

beforeAll(async () => {
  provider = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => void sendAnd(socket, answer));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  gateway = await startGatewayBefore(origin);
});

afterAll(async () => {
  await gateway.stop();
  await new Promise((resolve) => provider.close(resolve));
});

/** In several pieces, so that the answer has begun when its connection ends. */
async function sendAnd(socket: Socket, { head, sent, how }: Broken): Promise<void> {
  socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
  socket.write(sent);
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (how === "reset") socket.resetAndDestroy();
  else socket.end();
}

interface Seen {
  readonly status: number;
  readonly text: string;
  /** The client could tell that it has the whole answer. */
  readonly whole: boolean;
}

/** A request as Node's own client sends it, which tells a whole answer from one that was broken off. */
function ask(path: string, headers: Record<string, string>, body?: string): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const outgoing = request(gateway.url + path, { method, headers }, (incoming) => {
      let text = "";
      incoming.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
      incoming.on("error", () => undefined);
      incoming.on("close", () =>
        resolve({ status: incoming.statusCode ?? 0, text, whole: incoming.complete }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const own = (): Record<string, string> => ({
  authorization: "Bearer provider-key",
  "x-svc-api-key": gateway.key,
  "x-svc-upstream-url": origin,
  "content-type": "application/json",
});

const json = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const packed = gzipSync("packed".repeat(10));

const broken: readonly [string, Broken][] = [
  ["a length", { head: `${json}\r\nContent-Length: 100`, sent: "0123456789", how: "close" }],
  ["a length, reset", { head: `${json}\r\nContent-Length: 100`, sent: "0123456789", how: "reset" }],
  ["chunks", { head: `${json}\r\n${chunked}`, sent: "a\r\n0123456789\r\n", how: "close" }],
  ["chunks, reset", { head: `${json}\r\n${chunked}`, sent: "a\r\n0123456789\r\n", how: "reset" }],
  [
    "chunks on a connection that is to close",
    { head: `${json}\r\n${chunked}\r\nConnection: close`, sent: "a\r\n0123456789\r\n", how: "close" },
  ],
  ["a chunk that is none", { head: `${json}\r\n${chunked}`, sent: "a\r\n0123456789\r\nzz\r\n", how: "close" }],
  [
    "an encoding",
    {
      head: `${json}\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length + 1}`,
      sent: packed,
      how: "close",
    },
  ],
]; // prettier-ignore

describe("a plain answer that the provider breaks off is broken off for the client", () => {
  test.each(broken)("with %s", async (_, script) => {
    answer = script;
    const lines = gateway.log.length;
    const seen = await ask("/v1/files/f/content", own());
    expect(seen).toMatchObject({ status: 200, whole: false });
    await expect
      .poll(() => gateway.log.slice(lines))
      .toMatchObject([
        {
          end: "cut",
          error_code: "upstream_error",
          upstream_error: expect.stringMatching(/^(ECONNRESET|ERR_UPSTREAM_[A-Z_]+)$/) as unknown,
        },
      ]);
  });

  test("also where it is a stream that can't be read", async () => {
    const head = `Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n${chunked}`;
    answer = { head, sent: "4\r\nxxxx\r\n", how: "close" };
    const body = JSON.stringify({ model: "m", stream: true, messages: [] });
    const seen = await ask("/v1/chat/completions", own(), body);
    expect(seen).toMatchObject({ status: 200, whole: false, text: "xxxx" });
  });

  test("before its first byte: an envelope", async () => {
    answer = { head: `${json}\r\nContent-Length: 100`, sent: "", how: "close" };
    const seen = await ask("/v1/files/f/content", own());
    expect(seen).toMatchObject({ status: 502, whole: true });
    expect(JSON.parse(seen.text)).toMatchObject({ error: { code: "upstream_error" } });
  });

  test("held whole for its charge, it is an envelope and costs nothing", async () => {
    answer = { head: `${json}\r\nContent-Length: 100`, sent: '{"usage":', how: "close" };
    const headers = { authorization: `Bearer ${gateway.key}` };
    const body = JSON.stringify({ model: "p/m", messages: [{ role: "user", content: "hi" }] });
    const lines = gateway.log.length;
    const seen = await ask("/v1/chat/completions", headers, body);
    expect(seen).toMatchObject({ status: 502, whole: true });
    await expect
      .poll(() => gateway.log.slice(lines))
      .toMatchObject([{ cost_status: "non_billable" }]);
  });
});

test("an answer that ends with its connection is whole", async () => {
  answer = { head: `${json}\r\nConnection: close`, sent: '{"a":1}', how: "close" };
  expect(await ask("/v1/files/f/content", own())).toMatchObject({ whole: true, text: '{"a":1}' });
});
