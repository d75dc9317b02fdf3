import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { KeysApi, type Row } from "../support/keys-api.ts";
import { dataEvent } from "../support/scripted-provider.ts";

/* What a stopping gateway still owes: to clients, to the provider and to the books. */

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const chunk = { id: "c", choices: [{ index: 0, delta: { content: "x" } }] };
const beginning = dataEvent(chunk) + dataEvent({ id: "c", choices: [], usage });
const question = { model: "p/m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };

/** Begins a stream for every request, and ends it when it is told to. */
class SlowProvider {
  readonly origin: string;
  /** Answers that a gateway has not let go of. */
  open = 0;
  #end: (() => void)[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => {
      this.open += 1;
      response.on("close", () => (this.open -= 1));
      request.resume().on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(beginning);
        this.#end.push(() => response.end(dataEvent("[DONE]")));
      });
    });
  }

  static async start(): Promise<SlowProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new SlowProvider(server);
  }

  end(): void {
    for (const end of this.#end.splice(0)) end();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let provider: SlowProvider;
let gateway: TestGateway;

afterEach(async () => {
  await gateway.stop();
  await provider.close();
});

async function begin(env: Readonly<Record<string, string>>): Promise<void> {
  provider = await SlowProvider.start();
  const account = { type: "openai", baseUrl: provider.origin, wires: ["chat"], models: ["m"] };
  gateway = await startGateway({ config: { providers: [{ name: "p", ...account }] }, env });
}

/** A stream that has begun, on a connection of its own. */
async function openStream(leave?: AbortSignal): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, connection: "close" },
    body: JSON.stringify({ ...question, stream: true }),
    ...(leave === undefined ? {} : { signal: leave }),
  });
  expect(response.status).toBe(200);
  return response;
}

const isClosed = (): Promise<boolean> =>
  fetch(`${gateway.url}/healthz`).then(
    () => false,
    () => true,
  );

async function ledgerTypes(): Promise<readonly unknown[]> {
  const api = new KeysApi(gateway);
  const { body: list } = await api.call("GET", "orgs");
  const [org] = list?.["data"] as Row[];
  const { body } = await api.call("GET", `orgs/${org?.id}/ledger`);
  return (body?.["data"] as Row[]).map((entry) => entry["type"]);
}

async function eventTypes(): Promise<readonly unknown[]> {
  const response = await fetch(`${gateway.url}/v1/audit/events?limit=100`, {
    headers: { authorization: `Bearer ${gateway.operatorKey}` },
  });
  const { data } = (await response.json()) as { data: readonly { event_type: string }[] };
  return data.map((event) => event.event_type);
}

describe.each([1, 2])("with %i proxy threads", { timeout: 120_000 }, (threads) => {
  test("calls whose clients have left are read to their end and debited", async () => {
    await begin({ GATEWAY_PROXY_THREADS: String(threads) });
    const leave = new AbortController();
    // One on every thread.
    for (let i = 0; i < threads; i += 1) await openStream(leave.signal);
    leave.abort();
    const metrics = async () => (await fetch(`${gateway.keysUrl}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^weir_open_exchanges 0$/m);
    const restarted = gateway.restart();
    await expect.poll(isClosed).toBe(true);
    const soon = new Promise((resolve) => setTimeout(resolve, 1_000, "waits"));
    expect(await Promise.race([restarted, soon])).toBe("waits");
    expect(provider.open).toBe(threads);
    provider.end();
    gateway = await restarted;
    const debits = (await ledgerTypes()).filter((type) => type === "debit");
    expect(debits).toHaveLength(threads);
  });

  test("streams that outlast the drain are cut, debited and recorded", async () => {
    await begin({ GATEWAY_PROXY_THREADS: String(threads), GATEWAY_DRAIN_SECONDS: "1" });
    const streams: Response[] = [];
    for (let i = 0; i < threads; i += 1) streams.push(await openStream());
    const texts = streams.map((response) => response.text().catch(() => "cut"));
    const restarted = gateway.restart();
    expect(await Promise.all(texts)).toEqual(texts.map(() => "cut"));
    gateway = await restarted;
    await expect.poll(() => provider.open).toBe(0);
    const debits = (await ledgerTypes()).filter((type) => type === "debit");
    expect(debits).toHaveLength(threads);
    expect(await eventTypes()).not.toContain("payg.hold.expired");
  });
});
