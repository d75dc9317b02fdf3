import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Utf8Check } from "../../src/json/utf8.ts";
import { inMemory, type Memory } from "./scanning.ts";

function check(bytes: Uint8Array, cuts: readonly number[]): number | undefined {
  const utf8 = new Utf8Check();
  for (const length of cuts) {
    const fault = utf8.grown(bytes, length);
    if (fault !== undefined) return fault;
  }
  return utf8.finish(bytes, bytes.length);
}

/** The first offset at which no well-formed sequence stands, found the slow way. */
function firstFault(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const size = [1, 2, 3, 4].find(
      (n) => isUtf8(bytes.subarray(at, at + n)) && at + n <= bytes.length,
    );
    if (size === undefined) return at;
    at += size;
  }
  return undefined;
}

const first = [0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9d, 0x84, 0x9e];

describe("edges of the encoding", () => {
  test.each([
    ["U+007F", [0x7f], true],
    ["U+0080", [0xc2, 0x80], true],
    ["U+07FF", [0xdf, 0xbf], true],
    ["U+0800", [0xe0, 0xa0, 0x80], true],
    ["U+D7FF", [0xed, 0x9f, 0xbf], true],
    ["U+E000", [0xee, 0x80, 0x80], true],
    ["U+FEFF", [0xef, 0xbb, 0xbf], true],
    ["U+FFFF", [0xef, 0xbf, 0xbf], true],
    ["U+10000", [0xf0, 0x90, 0x80, 0x80], true],
    ["U+10FFFF", [0xf4, 0x8f, 0xbf, 0xbf], true],
    ["overlong U+0000", [0xc0, 0x80], false],
    ["overlong U+007F", [0xc1, 0xbf], false],
    ["overlong U+07FF", [0xe0, 0x9f, 0xbf], false],
    ["overlong U+FFFF", [0xf0, 0x8f, 0xbf, 0xbf], false],
    ["U+D800", [0xed, 0xa0, 0x80], false],
    ["U+DFFF", [0xed, 0xbf, 0xbf], false],
    ["U+110000", [0xf4, 0x90, 0x80, 0x80], false],
    ["a continuation byte", [0xbf], false],
    ["four continuation bytes", [0x80, 0x80, 0x80, 0x80], false],
    ["cut after one of two", [0xc3], false],
    ["cut after two of three", [0xe2, 0x82], false],
    ["cut after three of four", [0xf0, 0x9d, 0x84], false],
    ["a lead byte of five", [0xf8, 0x80, 0x80, 0x80, 0x80], false],
    ["0xFE", [0xfe], false],
    ["0xFF", [0xff], false],
  ])("%s", (_title, sequence, wellFormed) => {
    const bytes = Uint8Array.from([...first, ...sequence]);
    expect(check(bytes, [])).toBe(wellFormed ? undefined : first.length);
  });
});

describe("a growing buffer", () => {
  // Long enough that the check does not wait for the end; every cut falls into every character.
  const long = Buffer.from("aé€𝄞".repeat(500));

  test.each([1, 3, 7, 1000, 1023, 1024, 1025, 1027])("is read in steps of %d", (step) => {
    const cuts = Array.from({ length: Math.floor(long.length / step) }, (_, i) => (i + 1) * step);
    expect(check(long, cuts)).toBeUndefined();
    const damaged = Buffer.from(long);
    damaged[4001] = 0xff;
    expect(check(damaged, cuts)).toBe(firstFault(damaged));
  });

  it("tells a fault before the end", () => {
    const damaged = Buffer.from(long);
    damaged[100] = 0xff;
    damaged[4500] = 0xff;
    const utf8 = new Utf8Check();
    expect(utf8.grown(damaged, 2048)).toBe(firstFault(damaged));
    expect(utf8.grown(damaged, 2049)).toBe(firstFault(damaged));
    expect(utf8.finish(damaged, damaged.length)).toBe(firstFault(damaged));
  });

  it("agrees with the slow way under any damage and chunking", () => {
    const damage = fc.record({ at: fc.nat({ max: long.length - 1 }), byte: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(
        fc.array(damage, { maxLength: 3 }),
        fc.array(fc.nat({ max: long.length })),
        fc.constantFrom<Memory>("own", "shared"),
        (damages, cuts, memory) => {
          const bytes = inMemory(long, memory);
          for (const { at, byte } of damages) bytes[at] = byte;
          expect(
            check(
              bytes,
              cuts.toSorted((a, b) => a - b),
            ),
          ).toBe(firstFault(bytes));
        },
      ),
      { numRuns: 300 },
    );
  });
});
