import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { accept } from "../../../src/contract/outcome.ts";
import { refuse } from "../../../src/contract/errors.ts";
import type { Attempt, StreamObserver, StreamRules } from "../../../src/exchange/exchange.ts";
import { policyRecord } from "../../../src/pipeline/record/policy-record.ts";
import { streamRules } from "../../../src/pipeline/policy/stream-rules.ts";
import type { ResponseControl } from "../../../src/proxy/upstream/provider-connection.ts";
import { Relay } from "../../../src/proxy/relay/relay.ts";
import { sse } from "../../pipeline/policy/streamed-texts.ts";
import { gateOf, type StoppedGate } from "../../support/stopped-gate.ts";
import { SlowClient } from "../../support/slow-client.ts";

/** A provider's response that only knows whether it is read. */
class Response implements ResponseControl {
  aborted = false;
  paused = false;

  abort(): void {
    this.aborted = true;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  endSoon(): void {}
}

/** Rules that flag and look for nothing for long. */
function flagRules(): StreamRules {
  const pattern = { regex: "PRJ-[0-9]{2}", action: "flag", redactionToken: "[X]" } as const;
  const policy = {
    id: "p",
    version: 1,
    injection: { action: "block", sensitivity: "balanced" },
    dryRun: false,
    input: null,
    output: { entities: [], patterns: [pattern] },
  } as const;
  const nothing = { findings: [], edits: null };
  const rules = streamRules(
    policy,
    ({ steps }) =>
      Promise.resolve(accept(steps.map(({ text }) => ({ ...nothing, from: [text.length] })))),
    policyRecord(policy),
  );
  if (rules === null) throw new Error("no rules");
  return rules;
}

function relayTo(
  client: SlowClient,
  rules: StreamRules | null,
  observer: StreamObserver | null = null,
) {
  const connection = new Response();
  const attempts: Attempt[] = [];
  const call = {
    origin: "http://127.0.0.1",
    guarded: false,
    method: "POST",
    target: "/",
    headers: [],
    body: [],
    timeoutsMs: { connect: 1, headers: 1, idle: 1 },
    responseBytesMax: 1_000,
  };
  const plan = {
    wire: "chat",
    bufferJson: true,
    drainWithoutClient: true,
    observer,
    streamRules: rules,
    answerHeaders: () => [],
  } as const;
  const relay = new Relay(call, plan, client, (attempt) => void attempts.push(attempt));
  relay.connected(connection);
  relay.head(200, ["content-type", "text/event-stream"]);
  const event = sse({ choices: [{ index: 0, delta: { content: "long enough" } }] });
  const bring = async (bytes = event): Promise<void> => {
    const read = Buffer.from(bytes);
    relay.data(read);
    relay.readOver();
    // The connection uses its memory again.
    read.fill(0);
    await settle();
  };
  return {
    connection,
    attempts,
    bring,
    end: () => relay.end(),
    fail: (error: Error) => relay.failed(error),
    relay,
  };
}

/** Long enough for whatever does not wait for somebody. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn();
}

it("a stream ends for its client before rules that only watch have seen its end", async () => {
  const gates: StoppedGate[] = [];
  const client = new SlowClient();
  const { attempts, bring } = relayTo(client, gateOf(gates, 100, true));
  await bring();
  await bring("data: [DONE]\n\n");
  expect(client.state).toBe("done");
  expect(attempts).toEqual([]);
  gates[0]?.sink.finished();
  expect(attempts).toMatchObject([{ kind: "relayed", end: "complete", clientGone: false }]);
});

it("a stream under rules is over with its last event, whenever its response ends", async () => {
  const gates: StoppedGate[] = [];
  const client = new SlowClient();
  const { attempts, bring } = relayTo(client, gateOf(gates, 100));
  await bring();
  expect(gates[0]?.isFinishing).toBe(false);
  await bring("data: [DONE]\n\n");
  expect(gates[0]?.isFinishing).toBe(true);
  gates[0]?.letGo();
  expect(client.state).toBe("done");
  expect(attempts).toMatchObject([{ kind: "relayed", end: "complete" }]);
});

it("a stream that is whole is read to its end, though its client rests", async () => {
  const client = new SlowClient(1);
  const { connection, bring } = relayTo(client, null);
  await bring();
  expect(connection.paused).toBe(true);
  await bring("data: [DONE]\n\n");
  expect(connection.paused).toBe(false);
});

describe("of a stream whose usage is taken out", () => {
  const taken: StreamObserver = {
    mayDrop: true,
    seesAll: false,
    beginLong: () => ({ push: () => undefined, kept: null }),
    event: () => false,
  };
  const usage = sse({ choices: [], usage: { prompt_tokens: 1 } });

  it("an event without an empty line behind it goes on at the end", async () => {
    const client = new SlowClient();
    const { attempts, bring, end } = relayTo(client, null, taken);
    await bring();
    await bring("data: [DONE]");
    expect(client.written).toHaveLength(1);
    end();
    expect(client.written.at(-1)).toBe("data: [DONE]");
    expect(attempts).toMatchObject([{ kind: "relayed", end: "complete" }]);
  });

  it("such an event does not pass by the rules", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient();
    const { bring, end } = relayTo(client, gateOf(gates, 100), taken);
    await bring("data: [DONE]");
    end();
    expect(client.written).toEqual([]);
    gates[0]?.letGo();
    expect(client.written.join("")).toBe("data: [DONE]");
  });

  it("nothing else need have come for the answer to have begun", async () => {
    const client = new SlowClient();
    const { attempts, bring, fail } = relayTo(client, null, taken);
    await bring(usage);
    expect([client.state, client.written]).toEqual(["streaming", []]);
    fail(new Error("a reset"));
    expect(attempts).toMatchObject([{ kind: "relayed", end: "cut" }]);
  });
});

it("a stream that is cut before its first byte is refused with the provider's status", () => {
  const client = new SlowClient();
  const { attempts, fail } = relayTo(client, null);
  fail(new Error("a reset"));
  expect(client.state).toBe("open");
  expect(attempts).toMatchObject([{ kind: "failed", refusal: { upstreamStatus: 200 } }]);
});

describe("a provider's stream under rules is not read on", () => {
  it("while its client takes nothing, though the gate has room again", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, gateOf(gates, 100));
    await bring();
    gates[0]?.letGo();
    expect(client.written).toHaveLength(1);
    expect(connection.paused).toBe(true);
    client.rested();
    expect(connection.paused).toBe(false);
  });

  it("while its client takes nothing, though a gate that only watches has seen all", async () => {
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, flagRules());
    await bring();
    expect(client.written).toHaveLength(1);
    expect(connection.paused).toBe(true);
    client.rested();
    expect(connection.paused).toBe(false);
  });

  it("while its client takes nothing, though the provider has told of an error", async () => {
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, flagRules());
    await bring(sse({ error: { message: "overloaded" } }));
    expect(connection.paused).toBe(true);
    await bring();
    expect(connection.paused).toBe(true);
    client.rested();
    expect(connection.paused).toBe(false);
  });

  it("while the gate is full, though its client takes more again", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, gateOf(gates, 1));
    await bring();
    gates[0]?.letGo();
    expect(connection.paused).toBe(true);
    // What a read of the socket has brought comes in, paused or not.
    await bring();
    client.rested();
    expect(connection.paused).toBe(true);
    gates[0]?.letGo();
    client.rested();
    expect(connection.paused).toBe(false);
  });
});

describe("what is read for its cost alone", () => {
  it("does not wait for a client that has left", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, gateOf(gates, 2));
    await bring();
    gates[0]?.letGo();
    client.leave();
    expect(connection.paused).toBe(false);
    await bring();
    await bring();
    expect(connection.paused).toBe(true);
    gates[0]?.letGo();
    expect(connection.paused).toBe(false);
  });

  it("waits for nobody once a rule has stopped it", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient(1);
    const { connection, bring } = relayTo(client, gateOf(gates, 1));
    await bring();
    gates[0]?.letGo();
    await bring();
    const { refusal } = refuse("security_blocked", "no");
    gates[0]?.sink.blocked(refusal);
    expect(client.state).toBe("done");
    expect(connection.paused).toBe(false);
    await bring();
    expect(connection.paused).toBe(false);
  });
});

describe("calls that can't be", () => {
  it("a second head, a second connection", () => {
    const { relay, connection } = relayTo(new SlowClient(), null);
    expect(() => relay.head(200, [])).toThrow(/got a head in the state "streaming"/);
    expect(() => relay.connected(connection)).toThrow(/got a connection in the state "streaming"/);
  });

  it("the end of a gate before its stream's", async () => {
    const gates: StoppedGate[] = [];
    const { bring } = relayTo(new SlowClient(), gateOf(gates));
    await bring();
    expect(() => gates[0]?.sink.finished()).toThrow(/in the state "streaming"/);
  });
});

it("a gate that is told of the end of an answer too late is not heard", async () => {
  const gates: StoppedGate[] = [];
  const client = new SlowClient();
  const { attempts, bring, end } = relayTo(client, gateOf(gates));
  await bring();
  end();
  gates[0]?.letGo();
  const written = client.written.length;
  gates[0]?.sink.write(Buffer.from("late"));
  gates[0]?.sink.finished();
  expect(client.written).toHaveLength(written);
  expect(attempts).toHaveLength(1);
});
