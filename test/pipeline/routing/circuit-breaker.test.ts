import { expect, test } from "vitest";
import { circuitCallsMin, circuitOpenMs, circuitWindowMs } from "../../../src/contract/limits.ts";
import {
  CircuitBreaker,
  type CallResult,
  type CircuitCall,
} from "../../../src/pipeline/routing/circuit-breaker.ts";

function breaker(): {
  circuit: CircuitBreaker;
  pass: (ms: number) => void;
  call: (failed: boolean) => void;
} {
  let nowMs = 1_000_000;
  const circuit = new CircuitBreaker(() => nowMs);
  return {
    circuit,
    pass: (ms) => (nowMs += ms),
    call: (failed) => end(circuit, circuit.begin(), failed ? "failed" : "succeeded"),
  };
}

function end(circuit: CircuitBreaker, call: CircuitCall | null, result: CallResult): void {
  if (call === null) throw new Error("the circuit let no call through");
  circuit.end(call, result);
}

test("opens at sustained failures, not at a few", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin - 1; i++) call(true);
  expect(circuit.admits()).toBe(true);
  call(true);
  expect(circuit.admits()).toBe(false);
  expect(circuit.retryAfterSeconds()).toBe(circuitOpenMs / 1000);
  pass(circuitOpenMs - 1);
  expect(circuit.retryAfterSeconds()).toBe(1);
  pass(1);
  expect(circuit.retryAfterSeconds()).toBe(1);
});

test("stays closed while most calls succeed", () => {
  const { circuit, call } = breaker();
  for (let i = 0; i < 100; i++) call(i % 3 === 0);
  expect(circuit.admits()).toBe(true);
});

test("failures outside the window are forgotten", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin - 1; i++) call(true);
  pass(circuitWindowMs + 1);
  call(true);
  expect(circuit.admits()).toBe(true);
});

test("one probe decides after the time is over", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  pass(circuitOpenMs);
  expect(circuit.admits()).toBe(true);
  const first = circuit.begin();
  expect(circuit.admits()).toBe(false);
  expect(circuit.begin()).toBeNull();
  end(circuit, first, "failed");
  expect(circuit.admits()).toBe(false);
  pass(circuitOpenMs);
  end(circuit, circuit.begin(), "succeeded");
  expect(circuit.admits()).toBe(true);
  call(true);
  expect(circuit.admits()).toBe(true);
});

test("a probe without an outcome does not keep the circuit open for ever", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  pass(circuitOpenMs);
  circuit.begin();
  pass(circuitOpenMs);
  expect(circuit.admits()).toBe(true);
});

test("a probe that was given up decides nothing beside the next one", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  pass(circuitOpenMs);
  const given = circuit.begin();
  pass(circuitOpenMs);
  const next = circuit.begin();
  end(circuit, given, "succeeded");
  expect(circuit.admits()).toBe(false);
  end(circuit, next, "succeeded");
  expect(circuit.admits()).toBe(true);
});

test("a call that began before the circuit opened decides nothing afterwards", () => {
  const { circuit, pass, call } = breaker();
  const early = circuit.begin();
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  pass(circuitOpenMs);
  const probe = circuit.begin();
  end(circuit, early, "succeeded");
  expect(circuit.admits()).toBe(false);
  end(circuit, probe, "failed");
  expect(circuit.admits()).toBe(false);
});

test("a probe that tells nothing leaves the next call to decide", () => {
  const { circuit, pass, call } = breaker();
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  pass(circuitOpenMs);
  end(circuit, circuit.begin(), "unknown");
  const next = circuit.begin();
  expect(circuit.begin()).toBeNull();
  end(circuit, next, "failed");
  expect(circuit.admits()).toBe(false);
});

test("calls that tell nothing are not counted", () => {
  const { circuit, call } = breaker();
  for (let i = 0; i < 100; i++) end(circuit, circuit.begin(), "unknown");
  for (let i = 0; i < circuitCallsMin; i++) call(true);
  expect(circuit.admits()).toBe(false);
});
