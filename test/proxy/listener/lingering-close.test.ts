import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lingerBytesMax, lingerIdleMsMax, lingerMsMax } from "../../../src/contract/limits.ts";
import { Admission } from "../../../src/proxy/overload/admission.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { LingeringClose } from "../../../src/proxy/listener/lingering-close.ts";
import { RefusedLoad } from "../../../src/proxy/overload/refused-load.ts";
import type { Handler } from "../../../src/pipeline/routes.ts";
import { Listener, type ListenerOptions } from "../../../src/proxy/listener/server.ts";
import { RawSocket, statusesOf } from "../../support/raw-socket.ts";
import { filling, upload } from "../../support/upload.ts";

describe("the bounds", () => {
  let closes = 0;
  let lingering: LingeringClose;
  beforeEach(() => {
    vi.useFakeTimers();
    closes = 0;
    lingering = new LingeringClose(() => (closes += 1));
  });
  afterEach(() => {
    lingering.stop();
    vi.useRealTimers();
  });

  test("the end of the body, behind the turn of the loop in which it came", () => {
    lingering.took(1, false);
    lingering.took(1, true);
    expect(closes).toBe(0);
    vi.advanceTimersByTime(0);
    vi.runAllTimers();
    expect(closes).toBe(1);
  });

  test("bytes", () => {
    lingering.took(lingerBytesMax, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(0);
    lingering.took(1, false);
    lingering.took(1, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
  });

  test("silence", () => {
    vi.advanceTimersByTime(lingerIdleMsMax - 1);
    lingering.took(1, false);
    vi.advanceTimersByTime(lingerIdleMsMax - 1);
    expect(closes).toBe(0);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
    lingering.took(1, true);
    vi.runAllTimers();
    expect(closes).toBe(1);
  });

  test("time, however it drips", () => {
    for (let ms = 0; ms < lingerMsMax; ms += 1_000) {
      expect(closes).toBe(0);
      lingering.took(1, false);
      vi.advanceTimersByTime(1_000);
    }
    vi.advanceTimersByTime(1);
    lingering.took(1, false);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(1);
  });

  test("a connection that is closed is not closed again", () => {
    lingering.took(1, true);
    lingering.stop();
    vi.runAllTimers();
    expect(closes).toBe(0);
  });
});

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
