import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBefore, type TestGateway } from "../support/gateway.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";

const mib = 1024 * 1024;
const responseBytesMax = 3 * mib;

let status: number;
let bytes: number;
/** Whether the provider says how long its answer is. */
let isMeasured: boolean;
let upstream: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startRecorder((_, response) => {
    const body = errorOf(bytes);
    const headers = { "content-type": "application/json" };
    response.writeHead(status, isMeasured ? { ...headers, "content-length": body.length } : headers);
    response.write(body.slice(0, 10));
    response.end(body.slice(10));
  });
  gateway = await startGatewayBefore(upstream.origin, { responseBytesMax });
}); // prettier-ignore

afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** What a provider says that echoes a prompt which it can't take. */
function errorOf(length: number): string {
  const [start, end] = ['{"error":{"message":"', '"}}'];
  return start + "x".repeat(length - start.length - end.length) + end;
}

function ask(path: string, own: boolean): Promise<Response> {
  const upstreamHeaders = {
    authorization: "Bearer provider-key",
    "x-svc-api-key": gateway.key,
    "x-svc-upstream-url": upstream.origin,
  };
  return fetch(gateway.url + path, {
    method: "POST",
    headers: own ? upstreamHeaders : { authorization: `Bearer ${gateway.key}` },
    body: '{"model":"p/m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}',
  });
}

const [chat, messages] = ["/v1/chat/completions", "/v1/messages"];

describe.each([true, false])("an error of two megabytes, its length said: %s", (measured) => {
  test.each([
    [422, chat, false],
    [422, messages, false],
    [422, chat, true],
    [429, chat, false],
    [529, messages, false],
  ])("%i on %s, own keys %s: status and body as they are", async (code, path, own) => {
    [status, bytes, isMeasured] = [code, 2 * mib, measured];
    const response = await ask(path, own);
    expect(response.status).toBe(code);
    expect(response.headers.get("x-svc-upstream-status")).toBe(String(code));
    expect(await response.text()).toBe(errorOf(bytes));
  });

  test("over the account's bound: refused, with the provider's status", async () => {
    [status, bytes, isMeasured] = [422, responseBytesMax + 1, measured];
    const response = await ask(chat, false);
    expect(response.status).toBe(502);
    expect(response.headers.get("x-svc-upstream-status")).toBe("422");
    expect(await response.json()).toMatchObject({
      error: { code: "upstream_response_too_large", retryable: false },
    });
  });
});
