import { expect, test } from "vitest";
import type { ExchangeStep } from "../../src/threads/messages.ts";
import { RemoteExchange } from "../../src/threads/remote-exchange.ts";

function exchangeOf(method = "GET", isGone = false) {
  const steps: ExchangeStep[] = [];
  const request = {
    id: 1,
    pattern: "/",
    method: "GET",
    parameters: {},
    requestId: "r",
    head: { method, path: "/", query: "", headers: [] },
    remoteAddress: "",
    ageMs: 0,
    body: null,
    isGone,
  };
  return { steps, exchange: new RemoteExchange(request, (step) => steps.push(step)) };
}

const answer = { status: 200, headers: [], body: "four" };

test("an answer to HEAD has no bytes", () => {
  const { exchange } = exchangeOf("HEAD");
  exchange.respond(answer);
  expect([exchange.state, exchange.bytesSent]).toEqual(["done", 0]);
});

test("a client that left before its request was handed over is answered nothing, and told of once", () => {
  const { exchange, steps } = exchangeOf("POST", true);
  let told = 0;
  exchange.onGone(() => (told += 1));
  exchange.respond(answer);
  exchange.left();
  expect(steps).toEqual([]);
  expect([exchange.state, exchange.status, told]).toEqual(["gone", 0, 1]);
});

test("the last bytes of an answer go with its end", () => {
  const { exchange, steps } = exchangeOf();
  exchange.begin(200, []);
  exchange.end(Buffer.from("last"));
  exchange.end(Buffer.from("too late"));
  const chunk = Uint8Array.from(Buffer.from("last"));
  expect(steps.slice(1)).toEqual([{ kind: "write", chunk }, { kind: "end" }]);
  expect([exchange.state, exchange.bytesSent]).toEqual(["done", 4]);
});
