import { expect, test } from "vitest";
import { pooledRandomBytes } from "../../src/runtime/random-bytes.ts";

test("no bytes come twice, over several fillings of the pool", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 1_000; i += 1) {
    const bytes = pooledRandomBytes(16);
    expect(bytes).toHaveLength(16);
    seen.add(bytes.toString("hex"));
  }
  expect(seen.size).toBe(1_000);
});

test("what was taken stays as it was when the pool is filled again", () => {
  const taken = pooledRandomBytes(32);
  const before = taken.toString("hex");
  for (let i = 0; i < 300; i += 1) pooledRandomBytes(32);
  expect(taken.toString("hex")).toBe(before);
  expect(pooledRandomBytes(4_096)).toHaveLength(4_096);
  expect(() => pooledRandomBytes(4_097)).toThrow(RangeError);
});
