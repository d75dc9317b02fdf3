import fc from "fast-check";
import { expect, test } from "vitest";
import { awkwardPieces, awkwardText } from "../../src/demo-provider/split-bytes.ts";

test("the pieces joined are the bytes", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("a", "\r", "\n", ":", "\\", "ü", "世", "🎉"),
        minLength: 1,
      }),
      (text) => {
        const pieces = awkwardPieces(Buffer.from(text));
        expect(Buffer.concat(pieces).toString()).toBe(Buffer.from(text).toString());
        expect(pieces.every((piece) => piece.length > 0)).toBe(true);
      },
    ),
  );
});

test.each([
  ["ü", ["\xc3", "\xbc"]],
  ["🎉", ["\xf0", "\x9f", "\x8e", "\x89"]],
  ["data: a\n\ndata: b\n\n", ["data:", " a", "\n", "\nd", "ata:", " b", "\n", "\n"]],
  ["a\r\n\r\nb", ["a\r", "\n\r", "\nb"]],
  ['"a\\nb"', ['"a\\', 'nb"']],
])("cuts %j at its traps", (text, pieces) => {
  expect(awkwardPieces(Buffer.from(text)).map((piece) => piece.toString("latin1"))).toEqual(pieces);
});

test("the text has characters of one to four bytes", () => {
  const byteLengths = new Set(Array.from(awkwardText, (character) => Buffer.byteLength(character)));
  expect(byteLengths).toEqual(new Set([1, 2, 3, 4]));
});
