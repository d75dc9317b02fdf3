import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Utf16Offsets } from "../../../src/detectors/search/utf16-offsets.ts";

const unit = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
  fc.constantFrom(
    "a",
    "é",
    "\0",
    "\r\n",
    "👩‍👩‍👧",
    "e\u0301",
    "אב",
    "\ud83d",
    "\ude00",
    "\ufffd",
    "電",
  ),
);
/** Long enough for several blocks. */
const text = fc.array(unit, { maxLength: 400 }).map((units) => units.join(""));

describe("Utf16Offsets", () => {
  test("each character's place in bytes leads to its place in units, in any order", () => {
    fc.assert(
      fc.property(text, fc.boolean(), (whole, backwards) => {
        const places: [byte: number, unit: number][] = [];
        let byte = 0;
        let at = 0;
        for (const character of whole) {
          places.push([byte, at]);
          byte += Buffer.byteLength(character);
          at += character.length;
        }
        places.push([byte, at]);
        if (backwards) places.reverse();
        const offsets = new Utf16Offsets(whole, Buffer.from(whole));
        for (const [from, expected] of places) expect(offsets.at(from)).toBe(expected);
      }),
    );
  });

  test("offsets in ASCII are what they are", () => {
    expect(new Utf16Offsets("ascii", Buffer.from("ascii")).at(3)).toBe(3);
  });
});
