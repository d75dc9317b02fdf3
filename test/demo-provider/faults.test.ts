import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoProvider, type DemoProvider } from "../../src/demo-provider/server.ts";
import { awkwardPieces, awkwardText } from "../../src/demo-provider/split-bytes.ts";
import { ask, askBody, eventsOf, member, pathOf, textOf, wires, type Wire } from "./wire-client.ts";

let provider: DemoProvider;
beforeAll(async () => {
  provider = await startDemoProvider();
});
afterAll(() => provider.close());

function parsed(body: Buffer | string) {
  return member(JSON.parse(body.toString()));
}

const terminalEvent: Readonly<Record<Wire, string>> = { chat: "[DONE]", messages: "message_stop" };

interface PartialAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly bytes: number;
}

/** Reads until `bytesMin` have come, leaves, and resolves once the connection is closed. */
function leaveAfter(wire: Wire, body: object, bytesMin: number): Promise<PartialAnswer> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(provider.origin + pathOf[wire], { method: "POST", agent: false });
    call.on("error", reject);
    call.on("response", (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < bytesMin) return;
        response.removeAllListeners("data");
        response.destroy();
      });
      response.on("close", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, contentType: headers["content-type"], bytes });
      });
    });
    call.end(JSON.stringify(body));
  });
}

/** How many reads of the socket an answer takes. */
async function socketReads(wire: Wire, body: object): Promise<number> {
  const json = JSON.stringify(body);
  const socket = connect(provider.port, "127.0.0.1");
  socket.write(
    `POST ${pathOf[wire]} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n` +
      `Content-Length: ${String(json.length)}\r\n\r\n${json}`,
  );
  let reads = 0;
  socket.on("data", () => (reads += 1));
  await once(socket, "end");
  return reads;
}

describe.each(wires)("%s", (wire) => {
  test.each([
    {
      model: "fault-400",
      status: 400,
      messages: "invalid_request_error",
      chat: "invalid_request_error",
      code: null,
    },
    {
      model: "fault-401",
      status: 401,
      messages: "authentication_error",
      chat: "invalid_request_error",
      code: "invalid_api_key",
    },
    {
      model: "fault-403",
      status: 403,
      messages: "permission_error",
      chat: "request_forbidden",
      code: "unsupported_country_region_territory",
    },
    {
      model: "fault-429",
      status: 429,
      messages: "rate_limit_error",
      chat: "requests",
      code: "rate_limit_exceeded",
    },
    { model: "fault-500", status: 500, messages: "api_error", chat: "server_error", code: null },
    {
      model: "fault-529",
      status: 529,
      messages: "overloaded_error",
      chat: "server_error",
      code: "overloaded",
    },
  ])("$model", async ({ model, status, messages, chat, code }) => {
    for (const stream of [false, true]) {
      const received = await ask(provider, wire, model, { stream });
      expect(received.status).toBe(status);
      expect(received.headers["content-type"]).toBe("application/json");
      const error = parsed(received.body);
      expect(error("error", "type")).toBe(wire === "chat" ? chat : messages);
      expect(error("error", "code")).toBe(wire === "chat" ? code : undefined);
      expect(error("error", "message")).toEqual(expect.any(String));
    }
  });

  test("fault-429 has the wire's rate-limit headers", async () => {
    const { headers } = await ask(provider, wire, "fault-429");
    expect(headers["retry-after"]).toBe("7");
    const names = Object.keys(headers).filter((name) => name.includes("ratelimit-"));
    const prefix = wire === "chat" ? "x-ratelimit-" : "anthropic-ratelimit-";
    expect(names.length).toBeGreaterThanOrEqual(6);
    expect(names.filter((name) => !name.startsWith(prefix))).toEqual([]);
    expect(names).toContain(
      wire === "chat" ? "x-ratelimit-remaining-requests" : "anthropic-ratelimit-requests-remaining",
    );
  });

  test("fault-error-in-2xx", async () => {
    const whole = await ask(provider, wire, "fault-error-in-2xx");
    expect(whole.status).toBe(200);
    expect(parsed(whole.body)("error", "message")).toBe("Overloaded");
    const streamed = await ask(provider, wire, "fault-error-in-2xx", { stream: true });
    expect(streamed.status).toBe(200);
    const events = eventsOf(streamed.body);
    expect(events.map(({ event }) => event)).toEqual([wire === "chat" ? null : "error"]);
    expect(parsed(events[0]?.data ?? "")("error", "message")).toBe("Overloaded");
  });

  test("fault-cut: a stream ends properly without its terminal event, JSON is reset", async () => {
    const streamed = await ask(provider, wire, "fault-cut?tokens=10", { stream: true });
    expect(streamed.end).toBe("complete");
    expect(streamed.body.toString()).not.toContain(terminalEvent[wire]);
    expect(textOf(wire, streamed)).toHaveLength(5 * 4);
    const whole = await ask(provider, wire, "fault-cut?tokens=10");
    expect(whole.end).toBe("reset");
    expect(whole.status).toBe(200);
    expect(whole.body.length).toBeGreaterThan(0);
    expect(() => parsed(whole.body)).toThrow();
  });

  test.each([false, true])("fault-reset: no answer; stream %s", async (stream) => {
    await expect(ask(provider, wire, "fault-reset", { stream })).rejects.toMatchObject({
      code: "ECONNRESET",
    });
  });

  test("fault-mid-stream-reset: half of the events arrive first", async () => {
    const model = "fault-mid-stream-reset?tokens=10";
    const streamed = await ask(provider, wire, model, { stream: true });
    expect(streamed.end).toBe("reset");
    expect(textOf(wire, streamed)).toHaveLength(5 * 4);
    expect((await ask(provider, wire, model)).end).toBe("reset");
  });

  test("fault-mid-stream-error: the wire's error event ends the stream", async () => {
    const model = "fault-mid-stream-error?tokens=10";
    const streamed = await ask(provider, wire, model, { stream: true });
    expect(streamed.end).toBe("complete");
    expect(streamed.body.toString()).not.toContain(terminalEvent[wire]);
    const last = eventsOf(streamed.body).at(-1);
    expect(last?.event).toBe(wire === "chat" ? null : "error");
    expect(parsed(last?.data ?? "")("error", "type")).toBe(
      wire === "chat" ? "server_error" : "api_error",
    );
    expect((await ask(provider, wire, model)).status).toBe(500);
  });

  test.each([false, true])("fault-stall: begins and falls silent; stream %s", async (stream) => {
    const { status, bytes } = await leaveAfter(wire, askBody(wire, "fault-stall", { stream }), 1);
    expect(status).toBe(200);
    expect(bytes).toBeGreaterThan(0);
  });

  test("fault-stall-headers: not even headers, until the client leaves", async () => {
    const signal = AbortSignal.timeout(50);
    const body = JSON.stringify(askBody(wire, "fault-stall-headers"));
    const call = fetch(provider.origin + pathOf[wire], { method: "POST", body, signal });
    await expect(call).rejects.toThrow(/timeout/);
  });

  test.each([false, true])("fault-too-large: grows past any bound; stream %s", async (stream) => {
    const bytesMin = 20_000_000;
    const partial = await leaveAfter(wire, askBody(wire, "fault-too-large", { stream }), bytesMin);
    expect(partial.status).toBe(200);
    expect(partial.bytes).toBeGreaterThanOrEqual(bytesMin);
  });

  test.each([
    ["fault-split", "\n"],
    ["fault-split-crlf", "\r\n"],
  ])("%s: cut everywhere, and whole again when joined", async (model, lineEnd) => {
    for (const stream of [false, true]) {
      const received = await ask(provider, wire, model, { stream });
      expect(received.end).toBe("complete");
      expect(textOf(wire, received)).toBe(awkwardText);
      if (stream) expect(received.body.toString()).toContain(`${lineEnd}${lineEnd}`);
      // A read may still join what was written apart, but hardly often.
      const reads = await socketReads(wire, askBody(wire, model, { stream }));
      expect(reads).toBeGreaterThan(awkwardPieces(received.body).length / 2);
    }
  });

  test("fault-comments: comments and pings stand between the events and change nothing", async () => {
    const plain = await ask(provider, wire, "echo", { stream: true });
    const commented = await ask(provider, wire, "fault-comments", { stream: true });
    const body = commented.body.toString();
    expect(body.match(/^: processing$/gm)?.length).toBe(eventsOf(plain.body).length);
    const isPing = ({ event }: { event: string | null }) => event === "ping";
    const dataOf = (text: Buffer) =>
      eventsOf(text)
        .filter((event) => !isPing(event))
        .map(({ data }) => data.replace("fault-comments", "echo").replace(/demo[0-9a-f]{8}/, ""));
    expect(dataOf(commented.body)).toEqual(dataOf(plain.body));
    expect(eventsOf(commented.body).some(isPing)).toBe(wire === "messages");
  });

  test.each([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
    ["zstd", zstdDecompressSync],
  ])("fault-%s: compressed for those who accept it", async (coding, decompress) => {
    for (const stream of [false, true]) {
      const model = `fault-${coding}?tokens=300`;
      const accepting = { "accept-encoding": `identity, ${coding};q=0.5` };
      const received = await ask(provider, wire, model, { stream }, accepting);
      expect(received.headers["content-encoding"]).toBe(coding);
      for (const refusing of ["identity", `${coding};q=0`]) {
        const header = { "accept-encoding": refusing };
        const plain = await ask(provider, wire, model, { stream }, header);
        expect(plain.headers["content-encoding"]).toBeUndefined();
        expect(decompress(received.body).toString()).toBe(plain.body.toString());
      }
    }
  });

  test("every event of a compressed stream leaves at once", async () => {
    // Nothing follows for a minute, so what arrives was not waiting in the compressor.
    const body = askBody(wire, "fault-gzip?tokens=2&delay_ms=60000", { stream: true });
    const headers = { "accept-encoding": "gzip" };
    const opening = await new Promise<Buffer>((resolve) => {
      const call = httpRequest(provider.origin + pathOf[wire], { method: "POST", headers });
      call.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          const text = gunzipSync(Buffer.concat(chunks), { finishFlush: 2 }).toString();
          if (!text.includes(wire === "chat" ? "assistant" : "ping")) return;
          response.destroy();
          resolve(Buffer.from(text));
        });
      });
      call.end(JSON.stringify(body));
    });
    expect(eventsOf(opening).length).toBeGreaterThan(0);
  });
});
