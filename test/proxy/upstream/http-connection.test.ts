import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo, LookupFunction, Socket } from "node:net";
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
} from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { UpstreamCall } from "../../../src/exchange/exchange.ts";
import { HttpConnection } from "../../../src/proxy/upstream/http-connection.ts";
import type { ConnectionOptions } from "../../../src/proxy/upstream/provider-connection.ts";
import { callTo, KeptResponse, optionsFor, RawProvider } from "../../support/read-response.ts";

const hello = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
let provider: RawProvider;
const opened: HttpConnection[] = [];

beforeEach(async () => {
  provider = await RawProvider.start();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.destroy()));
  await provider.stop();
});

function connection(named: Partial<ConnectionOptions> = {}): {
  connection: HttpConnection;
  released: () => number;
} {
  let released = 0;
  const made = new HttpConnection({
    ...optionsFor(provider.origin, () => (released += 1)),
    ...named,
  });
  opened.push(made);
  return { connection: made, released: () => released };
}

/** Sends a call and waits for the last word on it. */
function ask(to: HttpConnection, named: Partial<UpstreamCall> = {}): Promise<KeptResponse> {
  const response = new KeptResponse();
  to.send(callTo(provider.origin, named), response);
  return response.over;
}

/** Answers each request without a body in the same way. */
function answerEach(text: string, then: (socket: Socket) => void = () => undefined): void {
  provider.answer = (socket) => {
    socket.on("data", () => {
      socket.write(text);
      then(socket);
    });
  };
}

const slow = { connect: 5_000, headers: 150, idle: 150 };

test("a connection is used again, and its calls are written as they are named", async () => {
  const requests: string[] = [];
  provider.answer = (socket) => {
    socket.on("data", (bytes: Buffer) => {
      requests.push(bytes.toString("latin1"));
      socket.write(hello);
    });
  };
  const { connection: to, released } = connection();
  expect(await ask(to, { target: "/a?b=c", headers: ["x-a", "\u00e9", "x-b", ""] })).toMatchObject({
    isWhole: true,
    body: "hello",
  });
  expect(await ask(to, { method: "POST" })).toMatchObject({ isWhole: true });
  expect(
    await ask(to, { method: "POST", body: [Buffer.from("ab"), Buffer.from("c")] }),
  ).toMatchObject({ isWhole: true });
  const host = provider.origin.replace("http://", "");
  const fixed = `host: ${host}\r\nconnection: keep-alive\r\n`;
  expect(requests).toEqual([
    `GET /a?b=c HTTP/1.1\r\n${fixed}x-a: \u00e9\r\nx-b: \r\n\r\n`,
    `POST / HTTP/1.1\r\n${fixed}content-length: 0\r\n\r\n`,
    `POST / HTTP/1.1\r\n${fixed}content-length: 3\r\n\r\nabc`,
  ]);
  expect([provider.connections, released()]).toEqual([1, 3]);
});

describe("the next call gets a new connection", () => {
  test.each([
    [
      "after Connection: close",
      hello.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"),
      () => undefined,
    ],
    ["after bytes behind the end", `${hello}!`, () => undefined],
    [
      "after an answer that ends with its connection",
      "HTTP/1.1 200 OK\r\n\r\nhello",
      (socket: Socket) => void socket.end(),
    ],
    [
      "after a keep-alive time of a second",
      hello.replace("\r\n\r\n", "\r\nkeep-alive: timeout=1\r\n\r\n"),
      () => undefined,
    ],
  ])("%s", async (_, text, then) => {
    answerEach(text, then);
    const { connection: to, released } = connection();
    for (let i = 1; i <= 3; i++) {
      expect(await ask(to)).toMatchObject({ isWhole: true, body: "hello" });
      await expect.poll(released).toBe(i);
    }
    expect(provider.connections).toBe(3);
  });

  test("if the provider has closed the idle one", async () => {
    answerEach(hello);
    const { connection: to } = connection();
    await ask(to);
    for (const socket of provider.sockets) socket.end();
    await expect.poll(() => provider.sockets.size).toBe(0);
    expect(await ask(to)).toMatchObject({ isWhole: true });
    expect(provider.connections).toBe(2);
  });

  test("if the provider has sent something on the idle one", async () => {
    answerEach(hello);
    const { connection: to } = connection();
    await ask(to);
    for (const socket of provider.sockets) socket.write(hello.replace("hello", "other"));
    await expect.poll(() => provider.sockets.size).toBe(0);
    expect(await ask(to)).toMatchObject({ isWhole: true, body: "hello" });
  });
});

test("a call on a connection that the provider resets is not sent again", async () => {
  let requests = 0;
  provider.answer = (socket) => {
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(hello);
      else socket.resetAndDestroy();
    });
  };
  const { connection: to } = connection();
  await ask(to);
  const second = await ask(to);
  expect(second.calls).toEqual(["connected", "failed"]);
  expect(requests).toBe(2);
});

describe("a large body", () => {
  const body = randomBytes(12_000_000);

  test("goes whole, however slowly it is read", async () => {
    const hash = createHash("sha256");
    provider.answer = (socket) => {
      let left = body.length;
      let isHead = true;
      socket.on("data", (bytes: Buffer) => {
        const from = isHead ? bytes.indexOf("\r\n\r\n") + 4 : 0;
        isHead = false;
        hash.update(bytes.subarray(from));
        left -= bytes.length - from;
        if (left === 0) socket.write(hello);
        socket.pause();
        setImmediate(() => socket.resume());
      });
    };
    const { connection: to } = connection();
    const pieces = [body.subarray(0, 7), body.subarray(7, 5_000_000), body.subarray(5_000_000)];
    expect(await ask(to, { method: "POST", body: pieces })).toMatchObject({ isWhole: true });
    expect(hash.digest("hex")).toBe(createHash("sha256").update(body).digest("hex"));
  });

  test("whose answer comes first has its answer, and its connection is not used again", async () => {
    provider.answer = (socket) => {
      socket.once("data", () => {
        socket.pause();
        socket.write(hello.replace("200 OK", "413 Too Large"));
      });
    };
    const { connection: to } = connection();
    for (let i = 1; i <= 2; i++) {
      expect(await ask(to, { method: "POST", body: [body] })).toMatchObject({
        isWhole: true,
        status: 413,
      });
      expect(provider.connections).toBe(i);
    }
  });

  test("that is read by nobody is given up", async () => {
    provider.answer = (socket) => void socket.pause();
    const { connection: to } = connection();
    const { error } = await ask(to, { method: "POST", body: [body], timeoutsMs: slow });
    expect(error).toMatchObject({ code: "ERR_UPSTREAM_HEADERS_TIMEOUT" });
  });
});

describe("time runs out", () => {
  test("before a connection", async () => {
    const lookup: LookupFunction = () => undefined;
    const origin = "http://a.test";
    const { connection: to } = connection({ origin, lookup, connectMsMax: 150 });
    const { calls, error } = await ask(to);
    expect([calls, error]).toMatchObject([["failed"], { code: "ERR_UPSTREAM_CONNECT_TIMEOUT" }]);
  });

  test("before an answer, though its head comes byte by byte", async () => {
    provider.answer = (socket) => {
      socket.once("data", () => {
        const timer = setInterval(() => socket.write("x"), 50);
        socket.write("HTTP/1.1 200 OK\r\nx: ");
        socket.on("close", () => clearInterval(timer));
      });
    };
    const { calls, error } = await ask(connection().connection, { timeoutsMs: slow });
    expect([calls, error]).toMatchObject([
      ["connected", "failed"],
      { code: "ERR_UPSTREAM_HEADERS_TIMEOUT" },
    ]);
  });

  test("within an answer", async () => {
    answerEach(hello.slice(0, -1));
    const { calls, error, body } = await ask(connection().connection, { timeoutsMs: slow });
    expect([calls, body]).toEqual([["connected", "head", "failed"], "hell"]);
    expect(error).toMatchObject({ code: "ERR_UPSTREAM_BODY_TIMEOUT" });
  });

  test("but not while nobody reads the answer", async () => {
    answerEach(hello.slice(0, -1));
    const response = new KeptResponse();
    const { connection: to } = connection();
    to.send(callTo(provider.origin, { timeoutsMs: slow }), response);
    await expect.poll(() => response.body).toBe("hell");
    response.control?.pause();
    const patient = new KeptResponse();
    const other = connection().connection;
    other.send(callTo(provider.origin, { timeoutsMs: { ...slow, idle: 450 } }), patient);
    expect((await patient.over).error).toMatchObject({ code: "ERR_UPSTREAM_BODY_TIMEOUT" });
    expect(response.error).toBe(null);
    response.control?.resume();
    expect((await response.over).error).toMatchObject({ code: "ERR_UPSTREAM_BODY_TIMEOUT" });
  });

  test("for a response that does not end after all that its reader needs", async () => {
    answerEach(hello.slice(0, -1));
    const response = new KeptResponse();
    const { connection: to, released } = connection();
    to.send(callTo(provider.origin), response);
    await expect.poll(() => response.body).toBe("hell");
    response.control?.endSoon();
    expect(await response.over).toMatchObject({ isWhole: true, body: "hell" });
    expect(released()).toBe(1);
    await expect.poll(() => provider.sockets.size).toBe(0);
  });
});

describe("a reader that aborts", () => {
  test("before the request is sent, leaves the connection for the next call", async () => {
    let requests = 0;
    provider.answer = (socket) => {
      socket.on("data", () => {
        requests += 1;
        socket.write(hello);
      });
    };
    const { connection: to, released } = connection();
    const response = new KeptResponse();
    response.connected = (control) => control.abort();
    to.send(callTo(provider.origin), response);
    await expect.poll(released).toBe(1);
    expect(await ask(to)).toMatchObject({ isWhole: true });
    expect([requests, provider.connections, response.calls]).toEqual([1, 1, []]);
  });

  test("within the answer, is told nothing more, and breaks the connection", async () => {
    answerEach(hello);
    const { connection: to, released } = connection();
    const response = new KeptResponse();
    response.head = () => response.control?.abort();
    to.send(callTo(provider.origin), response);
    await expect.poll(released).toBe(1);
    await expect.poll(() => provider.sockets.size).toBe(0);
    expect([response.calls, response.body]).toEqual([["connected"], ""]);
    expect(await ask(to)).toMatchObject({ isWhole: true });
  });

  test("after the end, does nothing to the next call", async () => {
    answerEach(hello);
    const { connection: to } = connection();
    const first = await ask(to);
    const second = ask(to);
    first.control?.pause();
    first.control?.endSoon();
    first.control?.abort();
    expect(await second).toMatchObject({ isWhole: true, body: "hello" });
    expect(provider.connections).toBe(1);
  });
});

test("a reader that pauses is sent no more than one read of the socket", async () => {
  const length = 3_000_000;
  provider.answer = (socket) => {
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`);
      socket.write(Buffer.alloc(length, "x"));
    });
  };
  const { connection: to } = connection();
  const response = new KeptResponse();
  let reads = 0;
  response.readOver = () => {
    reads += 1;
    response.control?.pause();
  };
  to.send(callTo(provider.origin), response);
  while (!response.isWhole) {
    const before = reads;
    await expect.poll(() => reads > before || response.isWhole).toBe(true);
    expect(reads).toBeLessThanOrEqual(before + 1);
    response.control?.resume();
  }
  expect(response.body).toHaveLength(length);
});

test("a second call at the same time is a bug", async () => {
  answerEach(hello);
  const { connection: to } = connection();
  const first = ask(to);
  expect(() => to.send(callTo(provider.origin), new KeptResponse())).toThrow("in use");
  await first;
});

test("destroying it fails the call, and closes the socket", async () => {
  const { connection: to, released } = connection();
  const response = ask(to);
  await expect.poll(() => provider.sockets.size).toBe(1);
  await to.destroy();
  expect((await response).error).toMatchObject({ code: "ERR_UPSTREAM_CLOSED" });
  expect(released()).toBe(1);
  await expect.poll(() => provider.sockets.size).toBe(0);
});

describe("over TLS", () => {
  const folder = new URL("../../support/tls/", import.meta.url);
  const cert = readFileSync(new URL("cert.pem", folder), "utf8");
  const key = readFileSync(new URL("key.pem", folder), "utf8");
  const toThisMachine: LookupFunction = (_, options, callback) => {
    if (options.all === true) callback(null, [{ address: "127.0.0.1", family: 4 }]);
    else callback(null, "127.0.0.1", 4);
  };
  const trusted = getCACertificates("default");
  const sockets: TLSSocket[] = [];
  let server: ReturnType<typeof createTlsServer>;

  beforeEach(async () => {
    server = createTlsServer({ cert, key, ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.on("data", () => socket.write(hello));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    setDefaultCACertificates(trusted);
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const to = (
    name: string,
    sessions: { latest: Buffer | null } = { latest: null },
  ): HttpConnection => {
    const { port } = server.address() as AddressInfo;
    return connection({ origin: `https://${name}:${port}`, lookup: toThisMachine, sessions })
      .connection;
  };

  test("a certificate that nobody vouches for is refused", async () => {
    const { calls, error } = await ask(to("a.test"));
    expect([calls, error]).toMatchObject([["failed"], { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }]);
  });

  test("so is one for another name", async () => {
    setDefaultCACertificates([...trusted, cert]);
    const { calls, error } = await ask(to("c.test"));
    expect([calls, error]).toMatchObject([["failed"], { code: "ERR_TLS_CERT_ALTNAME_INVALID" }]);
  });

  test("HTTP/1.1 is all that is offered", async () => {
    setDefaultCACertificates([...trusted, cert]);
    expect(await ask(to("a.test"))).toMatchObject({ isWhole: true, body: "hello" });
    expect(sockets).toMatchObject([{ alpnProtocol: "http/1.1", servername: "a.test" }]);
  });

  test("a session is resumed by connections that share it", async () => {
    setDefaultCACertificates([...trusted, cert]);
    const sessions = { latest: null };
    await ask(to("a.test", sessions));
    await expect.poll(() => sessions.latest).not.toBe(null);
    await ask(to("a.test", sessions));
    await ask(to("b.test"));
    expect(sockets.map((socket) => socket.isSessionReused())).toEqual([false, true, false]);
  });
});
