import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { keptBytes } from "../support/kept-bytes.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";
import { RawSocket } from "../support/raw-socket.ts";
import { RawProvider } from "../support/read-response.ts";

const mib = 1024 * 1024;
let provider: ObservedProvider;
let streaming: RawProvider;
let gateway: TestGateway;

/** Models whose answers are compared; the first one's is no stream's fault. */
const relayed = ["echo?tokens=50", "fault-comments", "fault-split", "fault-split-crlf"] as const;

beforeAll(async () => {
  provider = await startObservedProvider();
  streaming = await RawProvider.start();
  gateway = await startGateway({
    config: {
      providers: [
        provider.account("p", {
          wires: ["chat", "messages", "responses", "embeddings"],
          models: ["echo-hash", "echo?tokens=30&delay_ms=15", ...relayed],
        }),
        provider.account("streaming", { baseUrl: streaming.origin, models: ["stream"] }),
      ],
      network: { allowedInternalHosts: ["127.0.0.1"] },
    },
    env: { GATEWAY_MAX_BODY_SIZE: "100mb" },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
  await streaming.stop();
});

const ownKeys = (): Record<string, string> => ({
  authorization: "Bearer provider-key",
  "x-svc-api-key": gateway.key,
  "x-svc-upstream-url": provider.demo.origin,
  "content-type": "application/json",
});

const chatPath = "/v1/chat/completions";

/** A streamed chat that asks for its usage; otherwise the gateway would ask, and keep it. */
const asked = { stream_options: { include_usage: true } };

function bodyOf(path: string, model: string, stream: boolean): string {
  if (path === "/v1/embeddings") return JSON.stringify({ model, input: ["one", "two"] });
  if (path === "/v1/responses") return JSON.stringify({ model, stream, input: "hi" });
  const messages = [{ role: "user", content: "hi" }];
  if (path === "/v1/messages/count_tokens") return JSON.stringify({ model, messages });
  const more = path === chatPath && stream ? asked : {};
  return JSON.stringify({ model, stream, max_tokens: 1000, messages, ...more });
}

/** The bytes of an answer straight from the provider and through the gateway. */
async function both(
  path: string,
  model: string,
  stream: boolean,
  isPaid: boolean,
): Promise<[Buffer, Buffer]> {
  const body = bodyOf(path, model, stream);
  const direct = await fetch(provider.demo.origin + path, { method: "POST", body });
  const headers = isPaid ? { authorization: `Bearer ${gateway.key}` } : ownKeys();
  const relayed = await fetch(gateway.url + path, { method: "POST", body, headers });
  expect(relayed.status).toBe(200);
  return [Buffer.from(await direct.arrayBuffer()), Buffer.from(await relayed.arrayBuffer())];
}

const answers: readonly (readonly [path: string, stream: boolean])[] = [
  [chatPath, true],
  [chatPath, false],
  ["/v1/messages", true],
  ["/v1/messages", false],
  ["/v1/responses", true],
  ["/v1/responses", false],
  ["/v1/embeddings", false],
  ["/v1/messages/count_tokens", false],
];
const rows = answers.flatMap(([path, stream]) =>
  // The faults are those of a stream.
  (stream ? relayed : relayed.slice(0, 1)).map((model) => [path, model, stream] as const),
);

describe.each([
  ["own keys", false],
  ["paid through", true],
])("answers are relayed byte for byte: %s", (_, isPaid) => {
  test.each(rows)("%s %s stream=%s", async (path, model, stream) => {
    const [direct, relayed] = await both(path, model, stream, isPaid);
    expect(direct.length).toBeGreaterThan(path.endsWith("count_tokens") ? 10 : 100);
    expect(relayed.toString()).toBe(direct.toString());
  });
});

describe.each([chatPath, "/v1/messages", "/v1/responses", "/v1/embeddings"])(
  "compressed own-keys answers: %s",
  (path) => {
    test.each([
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
      ["zstd", zstdDecompressSync],
    ] as const)("%s passes unchanged to a client that asked for it", async (encoding, decode) => {
      const answer = await new Promise<{ encoding: string | undefined; bytes: Buffer }>(
        (resolve, reject) => {
          const sent = request(
            gateway.url + path,
            { method: "POST", headers: { ...ownKeys(), "accept-encoding": encoding } },
            (response) => {
              const chunks: Buffer[] = [];
              response.on("data", (chunk: Buffer) => chunks.push(chunk));
              response.on("end", () =>
                resolve({
                  encoding: response.headers["content-encoding"],
                  bytes: Buffer.concat(chunks),
                }),
              );
            },
          );
          sent.on("error", reject);
          sent.end(bodyOf(path, `fault-${encoding}`, false));
        },
      );
      expect(answer.encoding).toBe(encoding);
      const plain = await fetch(provider.demo.origin + path, {
        method: "POST",
        headers: { "accept-encoding": "identity" },
        body: bodyOf(path, `fault-${encoding}`, false),
      });
      expect(decode(answer.bytes).toString()).toBe(await plain.text());
    });
  },
);

test.each([chatPath, "/v1/messages", "/v1/responses"])(
  "with own keys a client that leaves %s ends the provider's work at once",
  async (path) => {
    const raw = await RawSocket.open(gateway.url);
    const body = bodyOf(path, "fault-stall", true);
    const headers = Object.entries(ownKeys()).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.send(
      `POST ${path} HTTP/1.1\r\nHost: g\r\n${headers.join("")}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    // The first events come, although the provider holds the rest back.
    await raw.until(({ text }) => text.includes("data: "));
    const id = /\r\nX-Svc-Request-Id: (\S+)/i.exec(raw.text)?.[1];
    raw.destroy();
    await expect
      .poll(() => gateway.log.find(({ request_id }) => request_id === id), { timeout: 5_000 })
      .toMatchObject({ own_keys: true, client_gone: true, end: "abandoned" });
  },
);

test.each([chatPath, "/v1/messages", "/v1/responses", "/v1/embeddings"])(
  "an answer of %s that came whole goes on whole, with its length",
  async (path) => {
    const body = bodyOf(path, "echo?tokens=50", false);
    const answer = await fetch(gateway.url + path, { method: "POST", body, headers: ownKeys() });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    expect(answer.headers.get("transfer-encoding")).toBeNull();
  },
);

test("events are delivered one by one", async () => {
  const raw = await RawSocket.open(gateway.url);
  const body = bodyOf(chatPath, "echo?tokens=30&delay_ms=15", true);
  const reads: number[] = [];
  raw.socket.on("data", (bytes: Buffer) => reads.push(bytes.toString().split("data: ").length - 1));
  raw.send(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await raw.until(({ text }) => text.includes("[DONE]"));
  raw.destroy();
  expect(reads.filter((events) => events === 1).length).toBeGreaterThanOrEqual(28);
});

describe("large bodies", () => {
  test("100 MB up, with a length and chunked, byte for byte by its hash", async () => {
    // Media: base64 in an image part, as a client sends it.
    const image = randomBytes(74 * mib).toString("base64");
    const body = Buffer.from(
      `{"model":"p/echo-hash","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,${image}"}}]}]}`,
    );
    expect(body.length).toBeGreaterThan(98 * mib);
    const sent = Buffer.from(body.toString("latin1").replace("p/echo-hash", "echo-hash"), "latin1");
    const hash = createHash("sha256").update(sent).digest("hex");
    for (const chunked of [false, true]) {
      const headers = { authorization: `Bearer ${gateway.key}` };
      const response = await new Promise<string>((resolve, reject) => {
        const outgoing = request(
          `${gateway.url}/v1/chat/completions`,
          {
            method: "POST",
            headers: chunked ? headers : { ...headers, "content-length": body.length },
          },
          (incoming) => {
            let text = "";
            incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
            incoming.on("end", () => resolve(text));
          },
        );
        outgoing.on("error", reject);
        for (let at = 0; at < body.length; at += mib) outgoing.write(body.subarray(at, at + mib));
        outgoing.end();
      });
      expect(response).toContain(hash);
    }
  });

  test("over the cap: 413 with the limit, at once", async () => {
    const raw = await RawSocket.open(gateway.url);
    raw.send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Length: ${100 * mib + 1}\r\n\r\n{`,
    );
    const { text } = await raw.until(({ text }) => text.includes("limit"));
    raw.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 413/);
    expect(text).toContain(`"limit":${100 * mib}`);
    expect(text).toContain("request_too_large");
  });

  test("50 MB of SSE down to a slow reader, byte for byte: the provider waits, nothing piles up", async () => {
    const sent = createHash("sha256");
    let sentBytes = 0;
    streaming.answer = (socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        const stream = Readable.from(fiftyMegabytes());
        stream.on("data", (event: Buffer) => {
          sent.update(event);
          sentBytes += event.length;
        });
        stream.pipe(socket);
      });
    };
    const outgoing = request(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    outgoing.end(bodyOf(chatPath, "stream", true));
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];

    // The reader takes nothing yet. What the gateway reads regardless would let the provider go on.
    let settledBytes = -1;
    while (settledBytes !== sentBytes) {
      settledBytes = sentBytes;
      await setTimeout(300);
    }
    // The kernel's buffers of two connections took some 8 MB.
    expect(sentBytes).toBeLessThan(25 * mib);

    const relayed = createHash("sha256");
    const before = keptBytes();
    let chunks = 0;
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      relayed.update(chunk);
      chunks += 1;
      if (chunks % 100 !== 0) continue;
      await setTimeout(20);
      // Provider, gateway and client share this process.
      expect(keptBytes() - before).toBeLessThan(8 * mib);
    }
    expect(chunks).toBeGreaterThan(500);
    expect(sentBytes).toBeGreaterThan(50 * mib);
    expect(relayed.digest("hex")).toBe(sent.digest("hex"));
  });
});

function* fiftyMegabytes(): Generator<Buffer> {
  const text = "abcdefgh".repeat(2 ** 13);
  for (let i = 0; i < 800; i += 1) {
    yield Buffer.from(`data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`);
  }
  yield Buffer.from("data: [DONE]\n\n");
}
