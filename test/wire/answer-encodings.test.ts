import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { KeysApi } from "../support/keys-api.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { dataEvent } from "../support/scripted-provider.ts";

interface Answered {
  readonly type: string;
  readonly encoding: string;
  readonly body: string | Buffer;
  readonly cut?: true;
}

let next: Answered;
let upstream: Recorder;
let gateway: TestGateway;
let api: KeysApi;

beforeAll(async () => {
  upstream = await startRecorder((_, response) => {
    const { type, encoding, body, cut } = next;
    response.writeHead(200, { "content-type": type, "content-encoding": encoding });
    if (cut === true) response.write(body, () => response.destroy());
    else response.end(body);
  });
  gateway = await startGatewayBefore(upstream.origin);
  api = new KeysApi(gateway);
});

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

async function ask(answered: Answered, key: string, stream = false): Promise<Response> {
  next = answered;
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: "p/m",
      max_tokens: 10,
      stream,
      messages: [{ role: "user", content: "hi" }],
    }),
  });
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const answer = JSON.stringify({ choices: [{ message: { content: "PRJ-12" } }], usage });
const chunk = dataEvent({ id: "c", choices: [{ delta: { content: "Paris" } }] });
const stream = chunk + dataEvent({ id: "c", choices: [], usage }) + dataEvent("[DONE]");
const sse = "text/event-stream";
const json = "application/json";

describe.each(["identity", "Identity", " identity , identity", ""])(
  "the encoding %j, which changes nothing",
  (encoding) => {
    test("leaves a stream billed, its usage kept from who did not ask", async () => {
      const lines = gateway.log.length;
      const response = await ask({ type: sse, encoding, body: stream }, gateway.key, true);
      expect(await response.text()).toBe(chunk + dataEvent("[DONE]"));
      await expect
        .poll(() => gateway.log.slice(lines))
        .toMatchObject([{ cost_status: "calculated", cost_usd: "0.000020", end: "complete" }]);
    });

    test("leaves a stream watched", async () => {
      const response = await ask({ type: sse, encoding, body: chunk, cut: true }, gateway.key, true);
      expect(await response.text()).toContain('"code":"upstream_error_in_2xx"');
    });

    test("leaves a stream to its rules", async () => {
      const orgId = await api.firstOrganization();
      const { secret } = await api.ruledKey(orgId, {
        customPatterns: [{ name: "one", regex: "Par[a-z]s", direction: "output", action: "redact" }],
      });
      const response = await ask({ type: sse, encoding, body: stream }, secret, true);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("Paris");
    });
  },
); // prettier-ignore

describe("an answer in JSON that is encoded against our will", () => {
  test.each([
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("%s is decoded and billed", async (encoding, encode) => {
    const response = await ask({ type: json, encoding, body: encode(answer) }, gateway.key);
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("x-svc-cost-usd")).toBe("0.000020");
    expect(await response.text()).toBe(answer);
  });

  test("and tells of an error is an error", async () => {
    const body = gzipSync('{"error":{"message":"no"}}');
    const response = await ask({ type: json, encoding: "gzip", body }, gateway.key);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("upstream_error_in_2xx");
  });

  test("and can't be decoded passes as it is, and is not billed", async () => {
    const body = gzipSync(answer);
    const response = await ask({ type: json, encoding: "x-own", body }, gateway.key);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
    expect(response.headers.get("content-encoding")).toBe("x-own");
    expect(response.headers.get("x-svc-cost-calculation-status")).toBe("missing_usage");
  });
});
