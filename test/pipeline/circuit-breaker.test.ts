import { expect, test } from "vitest";
import { circuitCallsMin, circuitOpenMs, circuitWindowMs } from "../../src/contract/limits.ts";
import { CircuitBreaker } from "../../src/pipeline/circuit-breaker.ts";

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
    call: (failed) => {
      circuit.begin();
      circuit.end(failed);
    },
  };
}

test("opens at sustained failures, not at a few", () => {
  const { circuit, call } = breaker();
  for (let i = 0; i < circuitCallsMin - 1; i++) call(true);
  expect(circuit.admits()).toBe(true);
  call(true);
  expect(circuit.admits()).toBe(false);
  expect(circuit.retryAfterSeconds()).toBe(circuitOpenMs / 1000);
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
  circuit.begin();
  expect(circuit.admits()).toBe(false);
  circuit.end(true);
  expect(circuit.admits()).toBe(false);
  pass(circuitOpenMs);
  circuit.begin();
  circuit.end(false);
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
