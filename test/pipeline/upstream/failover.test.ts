import { expect, test } from "vitest";
import type { ProviderAccount } from "../../../src/contract/account.ts";
import type { ErrorCode } from "../../../src/contract/errors.ts";
import { circuitCallsMin } from "../../../src/contract/limits.ts";
import type { Candidate } from "../../../src/pipeline/routing/accounts.ts";
import { CircuitBreaker } from "../../../src/pipeline/routing/circuit-breaker.ts";
import type { Attempt } from "../../../src/exchange/exchange.ts";
import { tryInTurn } from "../../../src/pipeline/upstream/failover.ts";
import { RequestRecord } from "../../../src/pipeline/record/record.ts";

function pool(size: number): Candidate[] {
  return Array.from({ length: size }, (_, i) => {
    const account: ProviderAccount = {
      name: `a${i}`,
      provider: "p",
      type: "openai",
      origin: "https://example.com",
      basePath: "",
      wires: ["chat"],
      credential: null,
      credentialVariable: null,
      models: [],
      apiPath: "/v1",
      query: "",
      credentialHeader: null,
      orgId: null,
      timeoutsMs: { connect: 1, headers: 1, idle: 1 },
      responseBytesMax: 1,
    };
    return {
      account,
      model: { id: "m", alias: null, priority: 0, weight: 1 },
      circuit: new CircuitBreaker(),
    };
  });
}

const buffered = (status: number): Attempt => {
  return { kind: "buffered", status, headers: [], body: new Uint8Array(0) };
};
const refusal = (code: ErrorCode, upstreamStatus?: number) => ({
  code,
  message: "",
  ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
});

test.each<[string, Attempt, boolean, number]>([
  ["a failed connection", { kind: "unsent", refusal: refusal("upstream_error") }, true, 3],
  [
    "no connection to be had",
    { kind: "unsent", refusal: refusal("upstream_error"), untried: true },
    false,
    3,
  ],
  [
    "a request that can't be sent",
    { kind: "unsent", refusal: refusal("invalid_request") },
    false,
    1,
  ],
  ["an error in a 2xx", { kind: "failed", refusal: refusal("upstream_error_in_2xx") }, true, 1],
  ["a timeout", { kind: "failed", refusal: refusal("upstream_timeout") }, true, 1],
  [
    "an answer that a rule stops",
    { kind: "failed", refusal: refusal("security_blocked") },
    false,
    1,
  ],
  ["a 4xx that is too long", { kind: "failed", refusal: refusal("upstream_error", 422) }, false, 1],
  ["a 5xx that is too long", { kind: "failed", refusal: refusal("upstream_error", 500) }, true, 1],
  [
    "an answer that is too long",
    { kind: "failed", refusal: refusal("upstream_response_too_large", 200) },
    false,
    1,
  ],
  ["a 400", buffered(400), false, 1],
  ["a 429", buffered(429), false, 3],
  ["a 500", buffered(500), true, 3],
  ["a client that left", { kind: "abandoned" }, false, 1],
  [
    "a connection that failed when the client had left",
    { kind: "abandoned", connectFailed: true },
    true,
    1,
  ],
])("%s counts or not, and is tried again or not", async (_name, attempt, counts, tries) => {
  let calls = 0;
  await tryInTurn(pool(3), new RequestRecord("chat"), () => {
    calls += 1;
    return Promise.resolve(attempt);
  });
  expect(calls).toBe(tries);
  const [only] = pool(1);
  if (only === undefined) throw new Error("an empty pool");
  for (let i = 0; i < circuitCallsMin; i++) {
    await tryInTurn([only], new RequestRecord("chat"), () => Promise.resolve(attempt));
  }
  expect(only.circuit.admits()).toBe(!counts);
});

test("accounts that were taken out of rotation meanwhile are passed over", async () => {
  const [first, second] = pool(2);
  if (first === undefined || second === undefined) throw new Error("an empty pool");
  const down = (): Promise<Attempt> =>
    Promise.resolve({ kind: "unsent", refusal: refusal("upstream_error") });
  for (let i = 0; i < circuitCallsMin; i++) {
    await tryInTurn([first], new RequestRecord("chat"), down);
  }
  const asked: string[] = [];
  const ask = ({ account }: Candidate): Promise<Attempt> => {
    asked.push(account.name);
    return Promise.resolve(buffered(200));
  };
  expect(await tryInTurn([first, second], new RequestRecord("chat"), ask)).toEqual(buffered(200));
  const none = await tryInTurn([first], new RequestRecord("chat"), ask);
  expect(none).toMatchObject({ kind: "unsent", refusal: { code: "circuit_open" } });
  expect(asked).toEqual(["a1"]);
});

const unsent: Attempt = { kind: "unsent", refusal: refusal("upstream_error") };

test.each([
  ["the first one answered", [buffered(503), unsent], buffered(503), "a0"],
  ["the last one answered", [unsent, buffered(503)], buffered(503), "a1"],
  ["both answered", [buffered(503), buffered(429)], buffered(429), "a1"],
  ["none answered", [unsent, unsent], unsent, "a0"],
])("the client gets a provider's own answer, and the record names whose: %s", async (...row) => {
  const [, answers, answer, account] = row;
  const record = new RequestRecord("chat");
  const told = await tryInTurn(pool(2), record, () =>
    Promise.resolve(answers[record.attempts - 1] ?? buffered(200)),
  );
  expect([told, record.account, record.attempts]).toEqual([answer, account, 2]);
  expect(record.provider).toBe("p");
});
