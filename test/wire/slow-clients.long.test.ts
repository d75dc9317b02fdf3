import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startObservedProvider, type ObservedProvider } from "../support/provider.ts";
import { RawSocket } from "../support/raw-socket.ts";

/* What takes as long as uWS waits, on any machine. */

/** 20 MB: more than the buffers between the provider and a client that does not read. */
const long = "echo?tokens=5000&token_bytes=4096";

let provider: ObservedProvider;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startObservedProvider();
  gateway = await startGateway({
    config: { providers: [provider.account("p", { models: [long] })] },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.demo.close();
});

test(
  "a reader that stands still for longer than uWS waits gets the rest",
  { timeout: 180_000 },
  async () => {
    const raw = await RawSocket.open(gateway.url);
    const messages = [{ role: "user", content: "hi" }];
    const body = JSON.stringify({ model: long, stream: true, messages });
    raw.send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    raw.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    raw.socket.resume();
    // The end alone is looked at, or every piece would have all before it searched.
    const { text } = await raw.until(({ text }) => text.slice(-64).includes("[DONE]"), 120_000);
    raw.destroy();
    expect(text.slice(-64)).toContain("[DONE]");
  },
);

test("headers that never end are cut", { timeout: 90_000 }, async () => {
  const stuck = await RawSocket.open(gateway.url);
  stuck.send("GET /version HTTP/1.1\r\nHost: g\r\nX-Slow: ");
  expect((await stuck.until(({ closed }) => closed, 60_000)).closed).toBe(true);
});
