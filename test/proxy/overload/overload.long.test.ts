import { rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printedKey, startProcess, type GatewayProcess } from "../../support/gateway-process.ts";

let gateway: GatewayProcess;
let key: string;

beforeAll(async () => {
  gateway = await startProcess();
  key = printedKey(gateway.output());
});

afterAll(async () => {
  gateway.child.kill("SIGKILL");
  await gateway.exit;
  rmSync(gateway.folder, { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly requestId: string | string[] | undefined;
  readonly text: string;
}

const agent = new Agent({ maxSockets: Infinity });

function ask(path: string, body?: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url + path, {
      agent,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}` },
    });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => {
        const { "retry-after": retryAfter, "x-svc-request-id": requestId } = answer.headers;
        resolve({ status: answer.statusCode ?? 0, retryAfter, requestId, text });
      });
    });
    sent.end(body);
  });
}

/** Long enough that no machine takes hundreds of them in within one turn of the loop's time. */
const words = "What is the capital of France, and of Spain? ".repeat(350);

const chat = (stream: boolean, content = "What is the capital of France?"): string =>
  JSON.stringify({
    model: "demo/echo?tokens=20&delay_ms=10",
    max_tokens: 50,
    stream,
    messages: [{ role: "user", content }],
  });

const atOnce = 2_000;

test("what comes all at once is served or refused with a time to come back, and then all is served", async () => {
  expect((await ask("/v1/chat/completions", chat(false))).status).toBe(200);
  const stream = ask("/v1/chat/completions", chat(true));
  // While the process stands still, everything gathers in its sockets.
  process.kill(gateway.pid, "SIGSTOP");
  const asked = Array.from({ length: atOnce }, () =>
    ask("/v1/chat/completions", chat(false, words)),
  );
  const health = Array.from({ length: 20 }, () => ask("/healthz"));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  process.kill(gateway.pid, "SIGCONT");
  const answers = await Promise.all(asked);
  const of = (status: number) => answers.filter((answer) => answer.status === status);
  const refused = of(503);
  expect(refused.length).toBeGreaterThan(0);
  expect(of(200).length).toBeGreaterThan(0);
  // Those that were taken in hold money, of which the first start gives little.
  expect(of(200).length + refused.length + of(429).length).toBe(atOnce);
  for (const { retryAfter, requestId, text } of refused) {
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(requestId).toBeDefined();
    expect(JSON.parse(text)).toMatchObject({
      error: { code: "detector_unavailable", source: "gateway", retryable: true },
    });
  }
  for (const { status } of await Promise.all(health)) expect(status).toBe(200);
  expect((await stream).text).toMatch(/data: \[DONE\]\n\n$/);
  for (let i = 0; i < 5; i += 1) {
    expect((await ask("/v1/chat/completions", chat(false))).status).toBe(200);
  }
  const metrics = await (await fetch(`${gateway.keysUrl}/metrics`)).text();
  expect(metrics).toMatch(/^weir_open_exchanges 0$/m);
});
