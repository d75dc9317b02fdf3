import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberTable, type NumberKey } from "../../src/runtime/number-table.ts";

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const key: fc.Arbitrary<NumberKey> = fc.oneof(
  fc.tuple(word, word, word, word),
  // Many that stand in one set, and differ in one word.
  fc.tuple(fc.constantFrom(0, 64), fc.constantFrom(0, 1), fc.constant(0), fc.constantFrom(0, 1)),
);

describe("NumberTable", () => {
  it("gives the number of the same key or none, and holds no more than it may", () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 200 }),
        fc.integer({ min: 1, max: 70 }),
        (keys, max) => {
          const table = new NumberTable(max);
          const truth = new Map<string, number>();
          for (const [i, one] of keys.entries()) {
            const known = table.get(one);
            if (known === undefined) {
              table.add(one, i);
              truth.set(one.join(), i);
            } else expect(known).toBe(truth.get(one.join()));
            expect(table.get(one)).toBe(truth.get(one.join()));
            expect(table.size).toBeLessThanOrEqual(max);
          }
        },
      ),
    );
  });

  it("lets go what was used longest ago of those that share a place", () => {
    const table = new NumberTable(64);
    const inOneSet = (i: number): NumberKey => [0, i, 0, 0];
    for (let i = 0; i < 8; i += 1) table.add(inOneSet(i), i);
    expect(table.get(inOneSet(0))).toBe(0);
    table.add(inOneSet(8), 8);
    expect(table.get(inOneSet(1))).toBeUndefined();
    expect([0, 2, 7, 8].map((i) => table.get(inOneSet(i)))).toEqual([0, 2, 7, 8]);
    expect(table.size).toBe(8);
  });

  it.each([1, 3, 7, 8, 9, 15, 17, 70, 100, 127, 129])(
    "holds no more than %d when it is full, and at least half as many",
    (max) => {
      const table = new NumberTable(max);
      for (let i = 0; i < 20 * max; i += 1) table.add(spread(i), i);
      expect(table.size).toBeLessThanOrEqual(max);
      expect(table.size).toBeGreaterThanOrEqual(max / 2);
    },
  );

  it("holds nearly as many as it has room for", () => {
    const table = new NumberTable(4_096);
    for (let i = 0; i < 4_096; i += 1) table.add(spread(i), i);
    expect(table.size).toBeGreaterThan(3_500);
  });
});

function spread(i: number): NumberKey {
  return [Math.imul(i, 0x9e3779b1) >>> 0, i, 0, 0];
}
