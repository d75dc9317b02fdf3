import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Attempt, UpstreamCall } from "../../../src/exchange/exchange.ts";
import { UpstreamGuard } from "../../../src/proxy/upstream/upstream-guard.ts";
import { Upstream } from "../../../src/proxy/upstream/upstream.ts";
import { callTo } from "../../support/read-response.ts";
import { Random } from "../../sim/random.ts";
import { SimulatedExchange } from "../../sim/simulated-exchange.ts";
import { VirtualTime } from "../../sim/virtual-time.ts";

let server: Server;
let upstream: Upstream;

afterEach(async () => {
  await upstream.close();
  await new Promise((resolve) => server.close(resolve));
});

/** A provider and an upstream that knows two origins; returns how to call one, and what was opened. */
async function start(listener: RequestListener) {
  let connections = 0;
  server = createServer(listener).on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  upstream = new Upstream(new UpstreamGuard({ allowedInternalHosts: [], upstreamPorts: [] }), 2);
  /** What an origin may wait to connect is part of what it is known by. */
  const call = (
    connectMs: number,
    { clientLeaves = false, ...named }: Partial<UpstreamCall> & { clientLeaves?: boolean } = {},
  ): Promise<Attempt> => {
    const request = { requestId: "r", secret: "s", path: "/", body: "" };
    const exchange = new SimulatedExchange(request, new Random(1), new VirtualTime(), () => {});
    if (clientLeaves) exchange.leave();
    return upstream.forward(
      callTo(origin, {
        timeoutsMs: { connect: connectMs, headers: 5_000, idle: 5_000 },
        ...named,
      }),
      {
        wire: null,
        bufferJson: true,
        drainWithoutClient: false,
        observer: null,
        answerHeaders: (headers) => headers,
      },
      exchange,
    );
  };
  return { call, origin, opened: () => connections };
}

test("the origin that was called longest ago makes room for another one", async () => {
  const { call, opened } = await start((_, response) => response.end("{}"));
  const [first, second, third] = [1_001, 1_002, 1_003];
  const before: number[] = [];
  for (const origin of [first, second, first, third, first, second]) {
    expect(await call(origin)).toMatchObject({ kind: "buffered", status: 200 });
    before.push(opened());
  }
  // The third takes the second's place, and the second then that of the third.
  expect(before).toEqual([1, 2, 2, 3, 3, 4]);
});

test("an origin with a call in flight is not forgotten, and where all have one nothing is sent", async () => {
  const waiting: (() => void)[] = [];
  const { call, opened } = await start((_, response) => {
    waiting.push(() => response.end("{}"));
  });
  const open = [call(1_001), call(1_002)];
  await expect.poll(() => waiting.length).toBe(2);
  const refusal = { code: "upstream_error" };
  expect(await call(1_003)).toMatchObject({ kind: "unsent", refusal, untried: true });
  expect(opened()).toBe(2);
  for (const answer of waiting) answer();
  expect(await Promise.all(open)).toMatchObject([{ kind: "buffered" }, { kind: "buffered" }]);
});

test("callers' upstreams take no place from the operator's", async () => {
  const waiting: (() => void)[] = [];
  const { call } = await start((_, response) => {
    waiting.push(() => response.end("{}"));
  });
  const guarded = { guarded: true };
  const open = [call(1_001, guarded), call(1_002, guarded)];
  await expect.poll(() => waiting.length).toBe(2);
  expect(await call(1_003, guarded)).toMatchObject({ kind: "unsent" });
  open.push(call(1_003), call(1_004));
  await expect.poll(() => waiting.length).toBe(4);
  for (const answer of waiting) answer();
  for (const attempt of await Promise.all(open)) expect(attempt.kind).toBe("buffered");
});

test("a connection that fails is told from a client that left before it stood", async () => {
  const { call } = await start((_, response) => response.end("{}"));
  expect(await call(1_001, { clientLeaves: true })).toEqual({
    kind: "abandoned",
    connectFailed: false,
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await call(1_002, { clientLeaves: true })).toEqual({
    kind: "abandoned",
    connectFailed: true,
  });
});

test("a connection of the operator's is not lent to a call that a caller addressed", async () => {
  const { call, origin, opened } = await start((_, response) => response.end("{}"));
  // A name: of an address literal no lookup is asked.
  const named = { origin: origin.replace("127.0.0.1", "localhost") };
  expect(await call(1_001, named)).toMatchObject({ kind: "buffered", status: 200 });
  expect(await call(1_001, { ...named, guarded: true })).toMatchObject({
    kind: "unsent",
    refusal: { code: "ssrf_blocked" },
  });
  expect(opened()).toBe(1);
});

test("closing ends the calls that are in flight, and nothing is sent any more", async () => {
  let arrived = 0;
  const { call, opened } = await start(() => (arrived += 1));
  const open = [call(1_001), call(1_001), call(1_002)];
  await expect.poll(() => arrived).toBe(3);
  await upstream.close();
  expect(await Promise.all(open)).toMatchObject(open.map(() => ({ kind: "failed" })));
  expect(await call(1_001)).toMatchObject({ kind: "unsent" });
  expect(opened()).toBe(3);
});
