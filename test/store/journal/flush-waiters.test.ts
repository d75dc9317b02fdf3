import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FlushWaiters } from "../../../src/store/journal/flush-waiters.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Counts the elements that collections walk over: what grows with the square shows here, whatever the machine. */
function countWalked(): () => number {
  let walked = 0;
  for (const method of ["filter", "indexOf", "findIndex", "splice", "forEach", "map"] as const) {
    const own = Reflect.get(Array.prototype, method) as (...more: unknown[]) => unknown;
    vi.spyOn(Array.prototype, method).mockImplementation(function (
      this: unknown[],
      ...more: unknown[]
    ) {
      walked += this.length;
      return own.apply(this, more) as never;
    });
  }
  const values = Reflect.get(Set.prototype, Symbol.iterator) as () => Iterator<unknown>;
  vi.spyOn(Set.prototype, Symbol.iterator).mockImplementation(function (this: Set<unknown>) {
    walked += this.size;
    return values.call(this) as SetIterator<unknown>;
  });
  return () => walked;
}

const many = 2_000;

test("one that gives up looks at no other, however many wait", async () => {
  const waiters = new FlushWaiters();
  const waiting = Array.from({ length: many }, (_, i) => waiters.wait(i, 1_000));
  const walked = countWalked();
  vi.advanceTimersByTime(1_000);
  const before = walked();
  vi.restoreAllMocks();
  expect(before).toBeLessThan(many);
  expect(waiters.count).toBe(0);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([false]));
});

test("a flush lets go who waited for it, and no one else", async () => {
  const waiters = new FlushWaiters();
  const told: [mark: number, durable: boolean][] = [];
  const wait = (mark: number, waitMsMax: number | null): void => {
    void waiters.wait(mark, waitMsMax).then((durable) => told.push([mark, durable]));
  };
  wait(1, null);
  wait(3, 1_000);
  wait(2, 1_000);
  waiters.reached(2);
  // Who was told once is not told again by its timeout.
  await vi.advanceTimersByTimeAsync(999);
  expect(told).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(waiters.count).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(told.at(-1)).toEqual([3, false]);
  waiters.reached(3);
  expect(told).toHaveLength(3);
});
