import { describe, expect, test } from "vitest";
import { overloadLateStartsPerTurn } from "../../../src/contract/limits.ts";
import {
  Admission,
  isAlwaysServed,
  overloadOf,
  Pace,
  type Load,
} from "../../../src/proxy/overload/admission.ts";
import { SimulatedServer, type Costs } from "../simulated-server.ts";

const calm: Load = {
  openExchanges: 10,
  turnRequests: 1,
  turnMs: 0,
  scans: { scansPerThread: 0, waitedMs: 0, drainMs: 0 },
  inHand: 0,
  inHandMs: 0,
  busyShare: 0,
};
const many = 1_000;

describe("what is an overload", () => {
  test.each<[string, Partial<Load>, ReturnType<typeof overloadOf>]>([
    ["nothing", {}, null],
    ["a long turn with many requests", { turnRequests: many, turnMs: 20 }, "turn"],
    ["a pause with a few requests", { turnRequests: 60, turnMs: 900 }, null],
    ["a short turn with many requests", { turnRequests: many, turnMs: 4 }, null],
    [
      "many scans that take long",
      { scans: { scansPerThread: many, waitedMs: 15, drainMs: 60 } },
      "scans",
    ],
    [
      "scans of a thread that starves",
      { scans: { scansPerThread: many, waitedMs: 60, drainMs: 0 } },
      "scans",
    ],
    ["one long scan", { scans: { scansPerThread: 60, waitedMs: 900, drainMs: 900 } }, null],
    ["a burst of scans", { scans: { scansPerThread: many, waitedMs: 2, drainMs: 60 } }, null],
    ["much in hand of a busy loop", { inHand: many, inHandMs: 90, busyShare: 1 }, "in_hand"],
    ["much in hand of a slow disk", { inHand: many, inHandMs: 900, busyShare: 0.5 }, null],
    ["little in hand of a busy loop", { inHand: 60, inHandMs: 900, busyShare: 1 }, null],
    ["a busy loop that is quick", { inHand: many, inHandMs: 20, busyShare: 1 }, null],
    ["many streams", { openExchanges: 16_384 }, null],
    ["more streams than there is memory for", { openExchanges: 16_385 }, "exchanges"],
  ])("%s", (_name, signs, expected) => {
    expect(overloadOf({ ...calm, ...signs })).toBe(expected);
  });
});

/** A request costs the loop 0.2 ms, so it can do 5 a millisecond … */
const boundByLoop: Costs = {
  takingIn: 0.08,
  finishing: 0.12,
  scanning: 0.1,
  refusing: 0.007,
  flushing: 5,
};
/** … and here the scan thread can do 2. */
const boundByScans: Costs = { ...boundByLoop, scanning: 0.5 };

describe.each([
  ["the loop", boundByLoop, 5],
  ["the scan thread", boundByScans, 2],
])("simulated, bound by %s", (_name, costs, capacityPerMs) => {
  const phases = (...shares: readonly number[]) =>
    shares.map((share) => ({ requestsPerMs: share * capacityPerMs, ms: 3_000 }));

  test("nothing is refused below the capacity", () => {
    const [below] = new SimulatedServer(costs, true).run(phases(0.85), 1);
    expect(below?.refusedMs).toEqual([]);
  });

  test("three times too much: what is served is quick, refusals too, and the rest is the capacity", () => {
    for (const seed of [1, 2, 3]) {
      const [, over, after] = new SimulatedServer(costs, true).run(phases(0.5, 3, 0.8), seed);
      // What came before the overload was known for one was let in, and delays others for a while.
      const later = (answered: readonly number[] = []) => answered.slice(capacityPerMs * 1_000);
      expect(percentile(later(over?.servedMs), 0.99)).toBeLessThan(150);
      expect(percentile(later(over?.refusedMs), 0.99)).toBeLessThan(50);
      expect(over?.servedMs.length).toBeGreaterThan(capacityPerMs * 3_000 * 0.75);
      expect(after?.refusedMs.length).toBeLessThan(capacityPerMs * 100);
      expect(percentile(after?.servedMs.slice(-1_000), 0.99)).toBeLessThan(50);
    }
  });

  test("without admission it would not be", () => {
    const [over] = new SimulatedServer(costs, false).run(phases(3), 1);
    expect(percentile(over?.servedMs, 0.99)).toBeGreaterThan(1_000);
  });
});

test("a thousand at once are taken in, as many again at once are not, and later they are", () => {
  const server = new SimulatedServer(boundByLoop, true);
  const burst = { requestsPerMs: 1_000, ms: 1 };
  const rest = { requestsPerMs: 0.1, ms: 1_500 };
  const [first, , , again, , , later] = server.run(
    [burst, { ...rest, ms: 1 }, { ...rest, ms: 1 }, burst, rest, rest, burst],
    1,
  );
  expect(first?.refusedMs).toEqual([]);
  expect(again?.refusedMs.length).toBeGreaterThan(500);
  expect(later?.refusedMs).toEqual([]);
});

test("a burst begins a few a turn, in order, and is in hand meanwhile", () => {
  let nowMs = 0;
  const turnsOver: (() => void)[] = [];
  const admission = new Admission({
    scansWaiting: () => calm.scans,
    inHand: () => 0,
    nowMs: () => nowMs,
    loopActiveMs: () => nowMs,
    afterTurn: (over) => turnsOver.push(over),
  });
  const started: number[] = [];
  const decisions = Array.from({ length: 300 }, (_, i) => {
    nowMs += 0.1;
    const decision = admission.decide(i);
    if (decision === "late") admission.startLate(() => started.push(i));
    return decision;
  });
  const late = decisions.flatMap((decision, i) => (decision === "late" ? [i] : []));
  expect(late.length).toBeGreaterThan(200);
  for (let turn = 1; turnsOver.length > 0; turn += 1) {
    turnsOver.shift()?.();
    expect(started).toEqual(late.slice(0, turn * overloadLateStartsPerTurn));
  }
  expect(started).toEqual(late);
});

test("a pause of the process refuses nothing, however long, where there is room", () => {
  const paused: Costs = { ...boundByLoop, flushing: 900 };
  const [slowDisk] = new SimulatedServer(paused, true).run([{ requestsPerMs: 2, ms: 3_000 }], 1);
  expect(slowDisk?.refusedMs).toEqual([]);
});

test("the pace is that of requests that get out of our hands, and forgets the time before a rest", () => {
  let activeMs = 0;
  const pace = new Pace(() => activeMs);
  const second = (perMs: number, fromMs: number, busy: number): void => {
    for (let at = fromMs; at < fromMs + 1_000; at += 25) {
      for (let i = 0; i < perMs * 25; i += 1) pace.admitted();
      activeMs += 25 * busy;
      pace.sample(at, 10);
    }
  };
  second(4, 0, 1);
  expect(pace.perMs).toBeCloseTo(4, 1);
  expect(pace.busyShare).toBeCloseTo(1);
  pace.sample(60_000, 10);
  expect(pace.busyShare).toBe(0);
  second(2, 60_025, 0.5);
  expect(pace.perMs).toBeCloseTo(2, 1);
  expect(pace.busyShare).toBeCloseTo(0.5);
});

test("what tells of the process is always served, and is no way around for others", () => {
  const head = { method: "GET", path: "/readyz", query: "", headers: [] };
  expect(isAlwaysServed(head)).toBe(true);
  expect(isAlwaysServed({ ...head, path: "/v1/models" })).toBe(false);
  const headers = ["x-svc-upstream-url", "https://api.example.com"];
  expect(isAlwaysServed({ ...head, headers })).toBe(false);
});

function percentile(ms: readonly number[] | undefined, share: number): number {
  const sorted = [...(ms ?? [])].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
