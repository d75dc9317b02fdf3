import { expect, test } from "vitest";
import { header, type Answer } from "../../../src/exchange/exchange.ts";
import { RefusedLoad, type RefusedPeriod } from "../../../src/proxy/overload/refused-load.ts";

function manual() {
  const periods: RefusedPeriod[] = [];
  const clock: { over: (() => void) | null } = { over: null };
  const refused = new RefusedLoad({
    refusing: (period) => periods.push(period),
    every: (call) => {
      clock.over = call;
      return { stop: () => (clock.over = null) };
    },
  });
  return { refused, periods, clock };
}

const head = { method: "POST", path: "/v1/chat/completions", query: "", headers: [] };

const retryAfter = ({ headers }: Answer): number => Number(header(headers, "Retry-After"));

test("a refusal is the contract's envelope with a time to come back", () => {
  const { refused } = manual();
  const answer = refused.answer("turn", head);
  expect(answer.status).toBe(503);
  expect(header(answer.headers, "X-Svc-Error-Source")).toBe("gateway");
  expect(retryAfter(answer)).toBe(1);
  expect(JSON.parse(String(answer.body))).toMatchObject({
    error: { code: "detector_unavailable", source: "gateway", retryable: true },
  });
});

test("a client of the messages wire gets it as it reads errors", () => {
  const { refused } = manual();
  const answer = refused.answer("turn", { ...head, path: "/v1/messages" });
  expect(JSON.parse(String(answer.body))).toMatchObject({
    type: "error",
    error: { type: "api_error", code: "detector_unavailable" },
  });
});

test("where four times too much comes, clients are spread over four seconds", () => {
  const { refused, periods, clock } = manual();
  refused.answer("turn", head);
  for (let i = 0; i < 10; i += 1) refused.admitted();
  for (let i = 0; i < 29; i += 1) refused.answer("scans", head);
  clock.over?.();
  const spread = Array.from({ length: 8 }, () => retryAfter(refused.answer("turn", head)));
  expect([...spread].sort()).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(periods).toEqual([
    {
      admitted: 10,
      by: new Map([
        ["turn", 1],
        ["scans", 29],
      ]),
    },
  ]);
});

test("however much comes, nobody is sent away for long", () => {
  const { refused, clock } = manual();
  for (let i = 0; i < 1_000; i += 1) refused.answer("turn", head);
  clock.over?.();
  const spread = Array.from({ length: 100 }, () => retryAfter(refused.answer("turn", head)));
  expect(Math.max(...spread)).toBe(8);
});

test("nothing is counted or told of while nothing is refused", () => {
  const { refused, periods, clock } = manual();
  refused.admitted();
  expect(clock.over).toBeNull();
  refused.answer("turn", head);
  clock.over?.();
  clock.over?.();
  expect(clock.over).toBeNull();
  expect(periods).toHaveLength(1);
  expect(retryAfter(refused.answer("turn", head))).toBe(1);
});
