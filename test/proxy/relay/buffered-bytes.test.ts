import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyBytesUnreserved } from "../../../src/contract/limits.ts";
import { BufferedBytes } from "../../../src/proxy/relay/buffered-bytes.ts";

describe("bytes of an answer that is buffered", () => {
  test("are what came, however it came, and reserved for", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        const chunks = lengths.map((length, i) => Buffer.alloc(length, i + 1));
        const all = Buffer.concat(chunks);
        let reserved = 0;
        const buffered = new BufferedBytes(all.length, (bytes) => {
          reserved += bytes;
          return true;
        });
        for (const chunk of chunks) {
          expect(buffered.add(chunk)).toBe(true);
          expect(Math.max(reserved, bodyBytesUnreserved)).toBeGreaterThanOrEqual(buffered.length);
        }
        expect(buffered.whole().equals(all)).toBe(true);
        expect(reserved).toBeLessThanOrEqual(all.length);
        if (all.length <= bodyBytesUnreserved) expect(reserved).toBe(0);
      }),
    );
  });

  test("that have no room ask for it once, and wait until it is there", () => {
    const asked: number[] = [];
    const buffered = new BufferedBytes(1_000_000, (bytes) => {
      asked.push(bytes);
      return asked.length > 1;
    });
    expect(buffered.add(Buffer.alloc(60_000))).toBe(true);
    expect(buffered.add(Buffer.alloc(60_000))).toBe(false);
    expect(buffered.add(Buffer.alloc(60_000))).toBe(false);
    buffered.granted();
    expect(buffered.add(Buffer.alloc(1))).toBe(true);
    expect(buffered.length).toBe(180_001);
    expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(180_001);
  });
});
