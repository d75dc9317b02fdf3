import { expect, test } from "vitest";
import { GrantPool, type AskStore } from "../../../src/store/shared/grant-pool.ts";

test("who waits behind a question under an older limit is asked for under its own", async () => {
  const pool = new GrantPool({ nowMs: () => 0, waitsMs: [], wait: () => Promise.resolve() });
  const asked: number[] = [];
  let answer = (): void => undefined;
  const under =
    (limit: number): AskStore =>
    async () => {
      asked.push(limit);
      await new Promise<void>((resolve) => (answer = resolve));
      return { outcome: "granted" };
    };
  const before = pool.wait(1n, under(100));
  // The limit was lowered; the question under the old one is still under way.
  const after = pool.wait(1n, under(10));
  answer();
  await before;
  answer();
  await after;
  expect(asked).toEqual([100, 10]);
});
