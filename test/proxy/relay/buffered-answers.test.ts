import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Attempt } from "../../../src/exchange/exchange.ts";
import { refusalAnswer } from "../../../src/exchange/refusal.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { Listener } from "../../../src/proxy/listener/server.ts";
import { callTo } from "../../support/read-response.ts";
import { UpstreamGuard } from "../../../src/proxy/upstream/upstream-guard.ts";
import { Upstream } from "../../../src/proxy/upstream/upstream.ts";

const budgetBytes = 900_000;
const answerBytes = 300_000;

let provider: Server;
let listener: Listener;
let upstream: Upstream;

afterEach(async () => {
  await listener.drain(0);
  await upstream.close();
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
});

/** A listener that holds whole what a provider answers, within the budget. */
async function start(budget: ByteBudget) {
  const open: ServerResponse[] = [];
  provider = createServer((_, response) => {
    response.write(Buffer.alloc(answerBytes - 1));
    open.push(response);
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  upstream = new Upstream(new UpstreamGuard({ allowedInternalHosts: [], upstreamPorts: [] }));
  const attempts: Attempt["kind"][] = [];
  const call = callTo(origin, { responseBytesMax: 1_000_000 });
  const plan = {
    wire: null,
    bufferJson: true,
    drainWithoutClient: false,
    observer: null,
    answerHeaders: () => [],
  };
  listener = new Listener({
    host: "127.0.0.1",
    port: 0,
    routes: {
      ownKeys: null,
      table: {
        "/buffered": {
          GET: async (exchange) => {
            const attempt = await upstream.forward(call, plan, exchange);
            attempts.push(attempt.kind);
            if (attempt.kind === "buffered") exchange.respond({ ...attempt, headers: [] });
            else if (attempt.kind === "failed") exchange.respond(refusalAnswer(attempt.refusal));
          },
        },
      },
    },
    bodyBytesMax: 1_024,
    budget,
    failed: (error) => expect(error).toBeUndefined(),
  });
  const port = await listener.listen();
  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/buffered`, signal === undefined ? {} : { signal });
  return { ask, open, attempts };
}

test("buffered bytes are counted, and given back when the answer is over", async () => {
  const budget = new ByteBudget(budgetBytes);
  const { ask, open } = await start(budget);
  const answer = ask();
  await expect.poll(() => budget.usedBytes).toBeGreaterThanOrEqual(answerBytes - 1);
  open[0]?.end("x");
  expect((await (await answer).arrayBuffer()).byteLength).toBe(answerBytes);
  await expect.poll(() => budget.usedBytes).toBe(0);
});

test("an answer without room waits for it", async () => {
  const budget = new ByteBudget(budgetBytes);
  const { ask, open } = await start(budget);
  const first = ask();
  await expect.poll(() => budget.usedBytes).toBeGreaterThanOrEqual(answerBytes - 1);
  const second = ask();
  await expect.poll(() => open.length).toBe(2);
  open[1]?.end("x");
  open[0]?.end("x");
  expect((await (await first).arrayBuffer()).byteLength).toBe(answerBytes);
  expect((await (await second).arrayBuffer()).byteLength).toBe(answerBytes);
  await expect.poll(() => budget.usedBytes).toBe(0);
});

test("where there is none for too long it is refused: come again", async () => {
  const budget = new ByteBudget(budgetBytes, 1, 50);
  budget.tryReserve(budgetBytes);
  const { ask } = await start(budget);
  const response = await ask();
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({
    error: { code: "detector_unavailable", retryable: true },
  });
  expect(budget.usedBytes).toBe(budgetBytes);
});

test("a client that leaves gives them back", async () => {
  const budget = new ByteBudget(budgetBytes);
  const { ask, attempts } = await start(budget);
  const controller = new AbortController();
  const answer = ask(controller.signal);
  await expect.poll(() => budget.usedBytes).toBeGreaterThanOrEqual(answerBytes - 1);
  controller.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => attempts).toEqual(["abandoned"]);
  await expect.poll(() => budget.usedBytes).toBe(0);
});
