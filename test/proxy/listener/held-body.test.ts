import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import type { Exchange } from "../../../src/exchange/exchange.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { Listener } from "../../../src/proxy/listener/server.ts";
import { RawSocket, statusesOf } from "../../support/raw-socket.ts";

/*
 * A pipeline that waits before it reads its request's body: nothing of the body is lost, and the connection goes on.
 */

const mib = 1024 * 1024;
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.drain(0)));
});

/** The handler waits until the returned `go` was called. */
async function serve(handler: (exchange: Exchange) => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const handle = async (exchange: Exchange): Promise<void> => {
    expect(await exchange.holdBody(promise)).toBe("go");
    await handler(exchange);
  };
  const listener = new Listener({
    host: "127.0.0.1",
    port: 0,
    routes: { table: { "/": { GET: handle, POST: handle } }, ownKeys: null },
    bodyBytesMax: 16 * mib,
    budget: new ByteBudget(64 * mib),
    failed: (error) => expect.unreachable(String(error)),
  });
  open.push(listener);
  const url = `http://127.0.0.1:${await listener.listen()}`;
  return { listener, url, go: () => resolve("go") };
}

async function digest(exchange: Exchange): Promise<void> {
  const body = await exchange.readBody(null);
  const answer = body.ok ? digestOf(body.value) : body.refusal.code;
  exchange.respond({ status: body.ok ? 200 : 400, headers: [], body: answer });
}

function digestOf(bytes: Uint8Array): string {
  return `${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`;
}

function bytes(length: number): Buffer {
  return Buffer.alloc(length, "0123456789abcdefghij\n");
}

const refuse = (exchange: Exchange): Promise<void> => {
  exchange.respond({ status: 429, headers: [], body: "{}" });
  return Promise.resolve();
};

const head = (...headers: readonly string[]): string =>
  ["POST / HTTP/1.1", "Host: g", ...headers, "", ""].join("\r\n");

test.each([0, 10, 64 * 1024, 64 * 1024 + 1, 5 * mib + 7])(
  "%i bytes, with a length and chunked",
  async (length) => {
    const { url, go } = await serve(digest);
    const body = bytes(length);
    const chunked = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < length; at += 70_001)
          controller.enqueue(body.subarray(at, at + 70_001));
        controller.close();
      },
    });
    const answers = [
      fetch(url, { method: "POST", body }),
      fetch(url, { method: "POST", body: chunked, duplex: "half" }),
      fetch(url, { method: "POST", body: gzipSync(body), headers: { "content-encoding": "gzip" } }),
    ];
    // A body that is not paused would have come by now.
    await new Promise((resolve) => setTimeout(resolve, 100));
    go();
    for (const answer of answers) expect(await (await answer).text()).toBe(digestOf(body));
  },
);

test("a long body that is refused after the wait does not end its connection", async () => {
  const { url, go } = await serve(refuse);
  const raw = await RawSocket.open(url);
  raw.send(head(`Content-Length: ${5 * mib}`));
  raw.send(bytes(5 * mib));
  await new Promise((resolve) => setTimeout(resolve, 100));
  go();
  await raw.until(({ text }) => statusesOf(text).length === 1);
  raw.send(`${head("Content-Length: 2")}{}`);
  const { text, closed } = await raw.until(({ text }) => statusesOf(text).length === 2);
  expect([statusesOf(text), closed]).toEqual([[429, 429], false]);
  raw.destroy();
});

test("a long body that nobody reads after the wait does not stop its connection", async () => {
  const { url, go } = await serve(async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    await refuse(exchange);
  });
  const raw = await RawSocket.open(url);
  raw.send(head(`Content-Length: ${5 * mib}`));
  raw.send(bytes(5 * mib));
  go();
  await raw.until(({ text }) => statusesOf(text).length === 1);
  raw.send(head("Content-Length: 0"));
  const { text } = await raw.until(({ text }) => statusesOf(text).length === 2);
  expect(statusesOf(text)).toEqual([429, 429]);
  raw.destroy();
});

test("a client that leaves during the wait leaves nothing open", async () => {
  const outcomes: string[] = [];
  const { listener, url, go } = await serve(async (exchange) => {
    const body = await exchange.readBody(null);
    outcomes.push(body.ok ? "read" : body.refusal.code);
  });
  const raw = await RawSocket.open(url);
  raw.send(head(`Content-Length: ${5 * mib}`));
  raw.send(bytes(mib));
  await expect.poll(() => listener.openExchanges).toBe(1);
  raw.destroy();
  go();
  await expect.poll(() => [outcomes, listener.openExchanges]).toEqual([["invalid_request"], 0]);
});
