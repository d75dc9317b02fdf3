import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Exchange } from "../../src/exchange/exchange.ts";
import { Upstream } from "../../src/proxy/upstream/upstream.ts";
import { UpstreamGuard, type ResolveAll } from "../../src/proxy/upstream/upstream-guard.ts";
import { spellings } from "../proxy/upstream/upstream-spellings.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { exchangeRaw, statusesOf } from "../support/raw-socket.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

/** A listener on every address of this machine, IPv4 and IPv6, that counts who comes. */
let listener: Server;
let listenerPort: number;
let connections = 0;
let gateway: TestGateway;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  listenerPort = (listener.address() as AddressInfo).port;
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  listener.close();
});

/** The spelling as a header can carry it (UTF-8 bytes), with the listener's port where it has none. */
async function answerTo(url: string): Promise<{ status: number; code: string | null }> {
  const request = [
    "GET /latest/meta-data HTTP/1.1",
    "Host: gateway",
    `X-Svc-Api-Key: ${gateway.key}`,
    "Authorization: Bearer provider-key",
    `X-Svc-Upstream-Url: ${url}`,
    "Connection: close",
    "\r\n",
  ].join("\r\n");
  const { text } = await exchangeRaw(gateway.url, Buffer.from(request), (answer) =>
    answer.text.includes("}}"),
  );
  return { status: statusesOf(text)[0] ?? 0, code: /"code":"(\w+)"/.exec(text)?.[1] ?? null };
}

describe("no packet leaves for a blocked address", () => {
  // A line break ends the header, a NUL the request, and uWS 20.51.4 takes bytes of other characters
  // at the end of a value for spaces.
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  const changed = /[\r\n\u0000]|:\uff18\uff10$/;
  const sendable = spellings.filter(({ url }) => !changed.test(url));

  test.each(sendable)("$verdict: $url", async ({ url, verdict }) => {
    const before = connections;
    const hasNoPort = /^https?:\/\/(?:\[[^\]]*\]|[^/:@]+)$/.test(url);
    const answer = await answerTo(hasNoPort ? `${url}:${listenerPort}` : url);
    expect(answer).toEqual(
      verdict === "blocked"
        ? { status: 403, code: "ssrf_blocked" }
        : { status: 400, code: "invalid_upstream" },
    );
    expect(connections).toBe(before);
  });

  test("the listener would have been reached", async () => {
    const before = connections;
    await fetch(`http://127.0.0.1:${listenerPort}`).catch(() => null);
    expect(connections).toBe(before + 1);
  });
});

describe("names, by what they lead to", () => {
  let upstream: Recorder;
  beforeAll(async () => {
    upstream = await startRecorder();
  });
  afterAll(() => upstream.close());

  function caller(answers: readonly (readonly string[])[], allowed: readonly string[] = []) {
    let asked = 0;
    const resolve: ResolveAll = (_hostname, _options, callback) => {
      const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    };
    const guard = new UpstreamGuard(
      { allowedInternalHosts: allowed, upstreamPorts: null },
      resolve,
    );
    const calls = new Upstream(guard);
    return {
      asked: () => asked,
      close: () => calls.close(),
      get: () => calls.forward(callTo(`http://api.example.com:${upstream.port}`), plan, exchange()),
    };
  }

  test.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback behind a public address", ["203.0.114.1", "127.0.0.1"]],
    ["a mapped address", ["::ffff:127.0.0.1"]],
  ])("%s: nothing is dialled", async (_name, addresses) => {
    const client = caller([addresses]);
    expect(await client.get()).toMatchObject({ kind: "unsent", refusal: { code: "ssrf_blocked" } });
    expect(upstream.connections()).toBe(0);
    await client.close();
  });

  test("no address is an upstream that can't be reached", async () => {
    const client = caller([[]]);
    expect(await client.get()).toMatchObject({
      kind: "unsent",
      refusal: { code: "upstream_error" },
    });
    await client.close();
  });

  test("a kept connection needs no lookup, and the next one is judged anew", async () => {
    const host = `api.example.com:${upstream.port}`;
    const client = caller([["127.0.0.1"]], [host]);
    expect(await client.get()).toMatchObject({ kind: "relayed", status: 200 });
    expect(await client.get()).toMatchObject({ kind: "relayed", status: 200 });
    expect(client.asked()).toBe(1);
    expect(upstream.connections()).toBe(1);
    await client.close();
    const strict = caller([["127.0.0.1"]]);
    expect(await strict.get()).toMatchObject({ kind: "unsent" });
    expect(upstream.connections()).toBe(1);
    await strict.close();
  });
});

function callTo(origin: string) {
  return {
    origin,
    guarded: true,
    method: "GET",
    target: "/",
    headers: [],
    body: [],
    timeoutsMs: { connect: 1000, headers: 1000, idle: 1000 },
    responseBytesMax: 1024,
  };
}

const plan = {
  wire: null,
  bufferJson: false,
  drainWithoutClient: false,
  observer: null,
  answerHeaders: () => [],
};

/** An exchange whose answer nobody reads. */
function exchange(): Exchange {
  const head = { method: "GET", path: "/", query: "", headers: [] };
  return {
    requestId: "r",
    head,
    remoteAddress: "127.0.0.1",
    arrivedAtMs: 0,
    state: "open",
    bytesSent: 0,
    status: 0,
    holdBody: (wait) => wait,
    readBody: () => Promise.reject(new Error("there is none")),
    reserve: () => true,
    keepHeaders: () => undefined,
    observe: () => undefined,
    respond: () => undefined,
    begin: () => undefined,
    write: () => true,
    end: () => undefined,
    cut: () => undefined,
    onDrained: () => undefined,
    onGone: () => undefined,
  };
}
