import { afterEach, expect, test } from "vitest";
import { Admission } from "../../../src/proxy/overload/admission.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { RefusedLoad } from "../../../src/proxy/overload/refused-load.ts";
import { Responder } from "../../../src/proxy/listener/responder.ts";
import type { Handler } from "../../../src/pipeline/routes.ts";
import { Listener, type ListenerOptions } from "../../../src/proxy/listener/server.ts";
import { RawSocket, statusesOf } from "../../support/raw-socket.ts";
import { filling, upload } from "../../support/upload.ts";

const mib = 1024 * 1024;
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.drain(0)));
});

async function serve(handler: Handler, more: Partial<ListenerOptions> = {}) {
  const listener = new Listener({
    host: "127.0.0.1",
    port: 0,
    routes: { table: { "/": { GET: handler, POST: handler } }, ownKeys: null },
    bodyBytesMax: mib,
    budget: new ByteBudget(mib),
    failed: () => undefined,
    ...more,
  });
  open.push(listener);
  return { listener, url: `http://127.0.0.1:${await listener.listen()}` };
}

const refuse: Handler = (exchange) =>
  exchange.respond({ status: 429, headers: ["Retry-After", "1"], body: "{}" });

const post = (length: number, ...headers: readonly string[]): string =>
  ["POST / HTTP/1.1", "Host: g", `Content-Length: ${length}`, ...headers, "", ""].join("\r\n");

test("a request that is refused for too much load is answered too", async () => {
  class Full extends Admission {
    override decide(): "exchanges" {
      return "exchanges";
    }
  }
  const scansWaiting = () => ({ scansPerThread: 0, waitedMs: 0, drainMs: 0 });
  const admission = new Full({ scansWaiting, inHand: () => 0 });
  const refused = new RefusedLoad();
  const { url } = await serve(refuse, { overload: { admission, refused } });
  const got = await upload(url, post(8 * mib, "Connection: close"), filling(8 * mib));
  expect([statusesOf(got.text), got.error]).toEqual([[503], null]);
});

test("an answer without a body has none", async () => {
  const { url } = await serve((exchange) =>
    exchange.respond({ status: 204, headers: [], body: "" }),
  );
  const got = await upload(url, post(8 * mib, "Connection: close"), filling(8 * mib));
  expect(got.error).toBe(null);
  expect(got.text).toMatch(/^HTTP\/1\.1 204 No Content\r\n[^]*\r\nConnection: close\r\n\r\n$/);
});

test("a connection that stays open is not closed for it", async () => {
  const { url } = await serve(refuse);
  const raw = await RawSocket.open(url);
  raw.send(post(2));
  await raw.until(({ text }) => text.endsWith("{}"));
  raw.send(`{}${post(2)}{}`);
  const { text, closed } = await raw.until(({ text }) => statusesOf(text).length === 2);
  expect([statusesOf(text), closed]).toEqual([[429, 429], false]);
  raw.destroy();
});

test("a drain closes behind the body what would stay open else, and waits for it", async () => {
  const { promise, resolve: answer } = Promise.withResolvers<null>();
  const { listener, url } = await serve(async (exchange) => {
    await promise;
    await refuse(exchange, {});
  });
  const raw = await RawSocket.open(url);
  const errors: unknown[] = [];
  raw.socket.on("error", (error) => errors.push(error));
  raw.send(post(8 * mib));
  await expect.poll(() => listener.openExchanges).toBe(1);
  const drained = listener.drain(20_000);
  answer(null);
  await raw.until(({ text }) => text.endsWith("{}\r\n"));
  expect(raw.closed).toBe(false);
  expect(listener.openExchanges).toBe(1);
  for (const piece of filling(8 * mib)) raw.send(piece);
  await raw.until(({ closed }) => closed);
  expect([statusesOf(raw.text), raw.closed, errors]).toEqual([[429], true, []]);
  await drained;
});

test("a drain that is over cuts what lingers", async () => {
  const { listener, url } = await serve(refuse);
  const raw = await RawSocket.open(url);
  raw.send(post(8 * mib, "Connection: close"));
  await raw.until(({ text }) => text.endsWith("{}\r\n"));
  expect(listener.openExchanges).toBe(1);
  await listener.drain(0);
  expect(listener.openExchanges).toBe(0);
  expect((await raw.until(({ closed }) => closed)).closed).toBe(true);
});

test("the body's flow can be used after the answer", async () => {
  const failures: unknown[] = [];
  const { url } = await serve(
    (exchange) => {
      if (!(exchange instanceof Responder)) throw new Error("not a responder");
      exchange.respond({ status: 200, headers: [], body: "ok" });
      exchange.flow.pause();
      exchange.flow.resume();
    },
    { failed: (error) => failures.push(error) },
  );
  expect(await (await fetch(url)).text()).toBe("ok");
  expect(failures).toEqual([]);
});
