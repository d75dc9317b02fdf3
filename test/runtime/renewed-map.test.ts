import { expect, test } from "vitest";
import { RenewedMap } from "../../src/runtime/renewed-map.ts";

test("a renewed map holds what a Map holds, in the same order, however much comes and goes", () => {
  const renewed = new RenewedMap<number>();
  const plain = new Map<string, number>();
  for (let n = 0; n < 2_000; n++) {
    const key = `key ${(n * 37) % 500}`;
    if (n % 3 === 2) expect(renewed.delete(key)).toBe(plain.delete(key));
    else {
      renewed.set(key, n);
      plain.set(key, n);
    }
    expect(renewed.has(key)).toBe(plain.has(key));
    expect(renewed.size).toBe(plain.size);
  }
  expect([...renewed.values()]).toEqual([...plain.values()]);
});
