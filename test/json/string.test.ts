import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decodeString, encodeString } from "../../src/json/string.ts";
import { inMemory, topLevelOf, type Memory } from "./scanning.ts";

const memories: readonly Memory[] = ["own", "shared"];

/** Decodes a JSON string that stands between other bytes. */
function decode(json: string, memory: Memory): string {
  const bytes = inMemory(Buffer.from(`[1,${json},"\\u0041"]`), memory);
  return decodeString(bytes, 4, 4 + Buffer.byteLength(json) - 2);
}

describe("decodeString", () => {
  test.each([
    ['""', ""],
    ['"model"', "model"],
    ['"exactly twenty-four char"', "exactly twenty-four char"],
    ['"more than twenty-four characters"', "more than twenty-four characters"],
    ['"é"', "é"],
    ['"€uro and 𝄞"', "€uro and 𝄞"],
    ['"\ufeffmark"', "\ufeffmark"],
    [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    [String.raw`"m\u006fdel"`, "model"],
    [String.raw`"\uD834\uDD1E"`, "𝄞"],
    [String.raw`"\uD834"`, "\ud834"],
    [String.raw`"\uDD1E\uD834"`, "\udd1e\ud834"],
    [String.raw`"\u0000"`, "\0"],
    ['"\u007f"', "\u007f"],
  ])("%s", (json, text) => {
    for (const memory of memories) expect(decode(json, memory)).toBe(text);
  });

  it("is JSON.parse, for all strings and spellings", () => {
    const spelling = fc.record({
      text: fc.string({ unit: "binary", maxLength: 60 }),
      lone: fc.option(fc.integer({ min: 0xd800, max: 0xdfff })),
      escapeAll: fc.boolean(),
      memory: fc.constantFrom(...memories),
    });
    fc.assert(
      fc.property(spelling, ({ text, lone, escapeAll, memory }) => {
        const whole = lone === null ? text : text + String.fromCharCode(lone);
        const plain = JSON.stringify(whole);
        const json = escapeAll
          ? `"${Array.from({ length: whole.length }, (_, i) => `\\u${whole.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`
          : plain;
        expect(JSON.parse(json)).toBe(whole);
        expect(decode(json, memory)).toBe(whole);
      }),
      { numRuns: 500 },
    );
  });
});

describe("encodeString", () => {
  it("makes a JSON string that decodes to the same text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const bytes = encodeString(text);
        expect(JSON.parse(Buffer.from(bytes).toString())).toBe(text);
        expect(decodeString(bytes, 1, bytes.length - 1)).toBe(text);
        expect(topLevelOf(bytes)).toMatchObject({ root: "string", start: 0, end: bytes.length });
      }),
    );
  });

  it("escapes lone surrogates, which UTF-8 can't hold", () => {
    expect(Buffer.from(encodeString("a\ud800")).toString()).toBe(String.raw`"a\ud800"`);
  });
});
