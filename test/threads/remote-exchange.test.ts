import { expect, test } from "vitest";
import type { ExchangeStep } from "../../src/threads/messages.ts";
import { RemoteExchange } from "../../src/threads/remote-exchange.ts";

test("the last bytes of an answer go with its end", () => {
  const steps: ExchangeStep[] = [];
  const request = {
    id: 1,
    pattern: "/",
    method: "GET",
    parameters: {},
    requestId: "r",
    head: { method: "GET", path: "/", query: "", headers: [] },
    remoteAddress: "",
    ageMs: 0,
    body: null,
  };
  const exchange = new RemoteExchange(request, (step) => steps.push(step));
  exchange.begin(200, []);
  exchange.end(Buffer.from("last"));
  exchange.end(Buffer.from("too late"));
  const chunk = Uint8Array.from(Buffer.from("last"));
  expect(steps.slice(1)).toEqual([{ kind: "write", chunk }, { kind: "end" }]);
  expect([exchange.state, exchange.bytesSent]).toEqual(["done", 4]);
});
