import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { streamPages } from "../../../src/endpoints/csv.ts";
import type { Exchange } from "../../../src/exchange/exchange.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import type { Handler } from "../../../src/pipeline/routes.ts";
import { Listener } from "../../../src/proxy/listener/server.ts";
import { RawSocket } from "../../support/raw-socket.ts";

const mib = 1024 * 1024;
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.drain(0)));
});

/** A real listener whose one endpoint does as told. */
async function serve(handler: Handler): Promise<{ url: string; failures: unknown[] }> {
  const failures: unknown[] = [];
  const listener = new Listener({
    host: "127.0.0.1",
    port: 0,
    routes: { table: { "/": { GET: handler } }, ownKeys: null },
    bodyBytesMax: mib,
    budget: new ByteBudget(mib),
    failed: (error) => failures.push(error),
  });
  open.push(listener);
  return { url: `http://127.0.0.1:${await listener.listen()}`, failures };
}

const request = "GET / HTTP/1.1\r\nHost: g\r\n\r\n";

describe("slow reader", () => {
  test("the rest of a chunk follows by itself, with no write after it", async () => {
    const rooms: boolean[] = [];
    const { url } = await serve((exchange) => {
      exchange.begin(200, []);
      rooms.push(exchange.write(Buffer.alloc(32 * mib, 97)));
    });
    const raw = await RawSocket.open(url);
    let received = 0;
    raw.socket.on("data", (bytes: Buffer) => (received += bytes.length));
    raw.socket.pause();
    raw.send(request);
    await expect.poll(() => rooms).toEqual([false]);
    raw.socket.resume();
    await expect.poll(() => received, { timeout: 5_000 }).toBeGreaterThan(32 * mib);
    raw.destroy();
  });

  test("an end waits until the reader has taken what came before it", async () => {
    const states: string[] = [];
    const { url } = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.write(Buffer.alloc(16 * mib, 97));
      exchange.end();
      states.push(exchange.state);
      exchange.write(Buffer.from("too late"));
      exchange.end(Buffer.from("too late"));
    });
    const answer = await fetch(url);
    expect(states).toEqual(["streaming"]);
    expect((await answer.arrayBuffer()).byteLength).toBe(16 * mib);
  });

  test("whoever waits for it goes on when a drain cuts it", async () => {
    const { url } = await serve((exchange) => streamPages(exchange, [], () => "a".repeat(4 * mib)));
    const listener = open.pop();
    const raw = await RawSocket.open(url);
    raw.socket.pause();
    raw.send(request);
    await expect.poll(() => listener?.openExchanges).toBe(1);
    await listener?.drain(200);
    expect(await listener?.settled(1_000)).toBe(true);
    raw.destroy();
  });

  test("says when there is room again", async () => {
    const drained: string[] = [];
    const { url } = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.onDrained(() => {
        drained.push("drained");
        exchange.end();
      });
      exchange.write(Buffer.alloc(16 * mib, 97));
    });
    const answer = await fetch(url);
    expect((await answer.arrayBuffer()).byteLength).toBe(16 * mib);
    expect(drained).toEqual(["drained"]);
  });
});

describe("one answer", () => {
  test.each([
    ["small", 100],
    ["larger than what goes in one write", 3 * mib],
  ])("%s last bytes come with the end", async (_name, bytes) => {
    const { url } = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.write(Buffer.from("first,"));
      exchange.end(Buffer.alloc(bytes, 97));
      exchange.end(Buffer.from("too late"));
    });
    expect(await (await fetch(url)).text()).toBe(`first,${"a".repeat(bytes)}`);
  });

  test("last bytes wait behind what a slow reader has not taken", async () => {
    const { url } = await serve((exchange) => {
      exchange.begin(200, []);
      exchange.write(Buffer.alloc(16 * mib, 97));
      exchange.end(Buffer.from("the end"));
    });
    const answer = await (await fetch(url)).text();
    expect(answer.length).toBe(16 * mib + "the end".length);
    expect(answer.endsWith("the end")).toBe(true);
  });

  test.each([1, 8_191, 8_192, 8_193, 12_000, 15_360, 15_361, 16_384, 23_552, 40_000])(
    "two chunks of %i bytes arrive as they were written",
    async (bytes) => {
      const [first, second] = [randomBytes(bytes), randomBytes(bytes)];
      const { url } = await serve((exchange) => {
        exchange.begin(200, []);
        exchange.write(first);
        exchange.write(second);
        exchange.end();
      });
      const answer = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(answer.length).toBe(2 * bytes);
      expect(answer.equals(Buffer.concat([first, second]))).toBe(true);
    },
  );

  test("a header that could start another one is left out", async () => {
    const { url } = await serve((exchange) => {
      exchange.respond({
        status: 200,
        headers: ["X-Good", "caf\u00e9", "X-Bad", "a\r\nX-Evil: 1", "X Bad", "b", "X-Wide", "日"],
        body: "ok",
      });
    });
    const { headers } = await fetch(url);
    expect(headers.get("x-good")).toBe("caf\u00e9");
    for (const name of ["x-bad", "x-evil", "x-wide"]) expect(headers.has(name), name).toBe(false);
  });

  test("every call after the end does nothing", async () => {
    const seen: Exchange[] = [];
    const { url, failures } = await serve((exchange) => {
      seen.push(exchange);
      exchange.respond({ status: 201, headers: [], body: "first" });
      exchange.respond({ status: 500, headers: [], body: "second" });
      exchange.begin(200, []);
      exchange.write(Buffer.from("third"));
      exchange.end();
      exchange.cut();
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([201, "first"]);
    expect(seen[0]).toMatchObject({ state: "done", status: 201, bytesSent: 5 });
    expect(failures).toEqual([]);
  });

  test("a client that leaves is noticed, and later calls do nothing", async () => {
    const states: string[] = [];
    const { url } = await serve((exchange) => {
      exchange.onGone(() => {
        states.push(exchange.state);
        exchange.write(Buffer.from("late"));
        exchange.end();
        exchange.respond({ status: 200, headers: [], body: "late" });
      });
    });
    const raw = await RawSocket.open(url);
    raw.send(request);
    await expect.poll(() => open[0]?.openExchanges).toBe(1);
    raw.destroy();
    await expect.poll(() => states).toEqual(["gone"]);
  });

  test("a handler that throws is answered 500 with nothing of the error", async () => {
    const { url, failures } = await serve(() => {
      throw new Error("a secret detail");
    });
    const answer = await fetch(url);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).toContain("internal_error");
    expect(text).not.toContain("secret");
    expect(failures).toHaveLength(1);
  });
});
