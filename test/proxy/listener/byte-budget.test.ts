import { describe, expect, test } from "vitest";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";

describe("the byte budget", () => {
  test("first come, first served: a small one does not overtake a large one that waits", () => {
    const budget = new ByteBudget(100);
    const granted: string[] = [];
    expect(budget.tryReserve(80)).toBe(true);
    budget.wait(60, () => granted.push("large"));
    expect(budget.tryReserve(10)).toBe(false);
    budget.wait(10, () => granted.push("small"));
    expect(granted).toEqual([]);
    budget.release(80);
    expect(granted).toEqual(["large", "small"]);
    expect(budget.usedBytes).toBe(70);
  });

  test("a waiter that gives up makes room for the next", () => {
    const budget = new ByteBudget(100);
    const granted: string[] = [];
    budget.tryReserve(50);
    const giveUp = budget.wait(80, () => granted.push("large"));
    budget.wait(50, () => granted.push("small"));
    giveUp();
    expect(granted).toEqual(["small"]);
    budget.release(50);
    budget.release(50);
    expect(budget.usedBytes).toBe(0);
  });

  test("the queue is bounded, and so is the wait", async () => {
    const budget = new ByteBudget(100, 1, 20);
    budget.tryReserve(100);
    const first = new Promise((resolve) => budget.wait(10, resolve));
    const second = new Promise((resolve) => budget.wait(10, resolve));
    expect(await second).toBe(false);
    expect(await first).toBe(false);
    budget.release(100);
    expect(budget.usedBytes).toBe(0);
  });

  test("more than there is at all is refused, not waited for", async () => {
    const budget = new ByteBudget(100);
    expect(await new Promise((resolve) => budget.wait(101, resolve))).toBe(false);
  });
});
