import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyBytesUnreserved } from "../../../src/contract/limits.ts";
import { HeldBytes } from "../../../src/proxy/relay/held-bytes.ts";

describe("bytes of an answer that is held", () => {
  test("are what came, however it came, and reserved for", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1));
        const all = Buffer.concat(chunks);
        let reserved = 0;
        const held = new HeldBytes(all.length, (bytes) => {
          reserved += bytes;
          return true;
        });
        for (const chunk of chunks) {
          expect(held.add(chunk)).toBe(true);
          expect(Math.max(reserved, bodyBytesUnreserved)).toBeGreaterThanOrEqual(held.length);
        }
        expect(held.whole().equals(all)).toBe(true);
        expect(reserved).toBeLessThanOrEqual(all.length);
        if (all.length <= bodyBytesUnreserved) expect(reserved).toBe(0);
      }),
    );
  });

  test("that have no room ask for it once, and wait until it is there", () => {
    const asked: number[] = [];
    const held = new HeldBytes(1_000_000, (bytes) => {
      asked.push(bytes);
      return asked.length > 1;
    });
    expect(held.add(Buffer.alloc(60_000))).toBe(true);
    expect(held.add(Buffer.alloc(60_000))).toBe(false);
    expect(held.add(Buffer.alloc(60_000))).toBe(false);
    held.granted();
    expect(held.add(Buffer.alloc(1))).toBe(true);
    expect(held.length).toBe(180_001);
    expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(180_001);
  });
});
