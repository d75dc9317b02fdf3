import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuse } from "../../../src/contract/errors.ts";
import { cacheEventsPerTurn } from "../../../src/contract/limits.ts";
import { StreamReplay, type ReplayEnd } from "../../../src/pipeline/cache/stream-replay.ts";
import type { Exchange, StreamRules } from "../../../src/exchange/exchange.ts";
import { gateOf, type StoppedGate } from "../../support/stopped-gate.ts";
import { SlowClient } from "../../support/slow-client.ts";

const eventsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `data: ${i}\n\n`);

function run(client: Exchange, events: readonly string[], rules: StreamRules | null = null) {
  const state: { end?: ReplayEnd } = {};
  const options = { exchange: client, wire: "chat", headers: [], rules } as const;
  const replay = new StreamReplay({ ...options, events: events.map((one) => Buffer.from(one)) });
  const ended = replay.run().then((end) => (state.end = end));
  return { state, ended };
}

/** Long enough for whatever does not wait for somebody. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn();
}

describe("a replayed stream", () => {
  it("has a write for each event, and waits for its client", async () => {
    const cases = fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 8 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([count, takes]) => {
        const client = new SlowClient(takes);
        const events = eventsOf(count);
        const { state } = run(client, events);
        while (state.end === undefined) {
          const before = client.written.length;
          await turn();
          if (client.written.length === before) client.rested();
        }
        expect(state.end).toEqual({ end: "complete" });
        expect(client.written).toEqual(events);
        expect(client.forced).toBe(0);
        expect([client.status, client.state]).toEqual([200, "done"]);
      }),
      { numRuns: 50 },
    );
  });

  it("lets others have their turn", async () => {
    const client = new SlowClient();
    const { ended } = run(client, eventsOf(cacheEventsPerTurn * 3));
    expect(client.written).toHaveLength(cacheEventsPerTurn);
    await ended;
    expect(client.written).toHaveLength(cacheEventsPerTurn * 3);
  });

  it.each([1, 5])("ends when its client leaves while it waits, after %i events", async (takes) => {
    const client = new SlowClient(takes);
    const { ended } = run(client, eventsOf(50));
    await settle();
    client.leave();
    expect(await ended).toEqual({ end: "abandoned" });
    expect(client.written).toHaveLength(takes);
  });

  it("waits for the gate, and pushes no more than it takes", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient();
    const events = eventsOf(10);
    const { state } = run(client, events, gateOf(gates));
    await settle();
    const [gate] = gates;
    expect(gate?.held).toBe(4);
    expect(client.state).toBe("open");
    while (state.end === undefined) {
      gate?.letGo();
      await settle();
    }
    expect(client.written).toEqual(events);
    expect(state.end).toEqual({ end: "complete" });
  });

  it("does not write past a gate that only watches, and ends with it", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient();
    const { state } = run(client, eventsOf(3), gateOf(gates, 100, true));
    await settle();
    expect(client.written).toEqual(eventsOf(3));
    expect(state.end).toBeUndefined();
    gates[0]?.sink.finished();
    await settle();
    expect(state.end).toEqual({ end: "complete" });
  });

  const { refusal } = refuse("security_blocked", "no");

  it("is refused where it is blocked before its first event", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient();
    const { ended } = run(client, eventsOf(3), gateOf(gates, 100));
    await settle();
    gates[0]?.sink.blocked(refusal);
    expect(await ended).toEqual({ end: "blocked", refusal, refused: true });
    expect([client.state, client.written]).toEqual(["open", []]);
  });

  it("ends with an error event where it is blocked later, also while its client rests", async () => {
    const gates: StoppedGate[] = [];
    const client = new SlowClient(2);
    const { ended } = run(client, eventsOf(30), gateOf(gates, 2));
    await settle();
    gates[0]?.letGo();
    await settle();
    gates[0]?.sink.blocked(refusal);
    expect(await ended).toEqual({ end: "blocked", refusal, refused: false });
    expect(client.state).toBe("done");
    expect(client.written.slice(0, 2)).toEqual(eventsOf(2));
    expect(client.written.at(-1)).toMatch(/^data: \{"error":\{"code":"security_blocked"/);
    expect(client.written).toHaveLength(3);
  });
});
