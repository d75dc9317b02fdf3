import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { Reservation } from "../../../src/proxy/listener/reservation.ts";

test("nothing stays reserved of what was asked for twice while there was no room", async () => {
  const budget = new ByteBudget(100);
  const other = new Reservation(budget);
  expect(other.reserve(100, () => undefined)).toBe(true);
  const granted: string[] = [];
  const own = new Reservation(budget);
  expect(own.reserve(10, () => granted.push("first"))).toBe(false);
  expect(own.reserve(20, () => granted.push("second"))).toBe(false);
  other.keep(90);
  expect([granted, budget.usedBytes]).toEqual([[], 90]);
  other.keep(80);
  expect([granted, budget.usedBytes]).toEqual([["second"], 100]);
  own.release();
  other.release();
  await turn();
  expect([granted, budget.usedBytes]).toEqual([["second"], 0]);
});

test("who has given all back waits for nothing", () => {
  const budget = new ByteBudget(100);
  const other = new Reservation(budget);
  other.reserve(100, () => undefined);
  const own = new Reservation(budget);
  for (const bytes of [10, 20]) own.reserve(bytes, () => expect.unreachable());
  own.release();
  other.release();
  expect(budget.usedBytes).toBe(0);
});
