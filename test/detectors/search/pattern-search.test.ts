import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entityWindowBytes } from "../../../src/contract/limits.ts";
import { PatternSearch } from "../../../src/detectors/search/pattern-search.ts";
import { shapeOf } from "../../../src/detectors/search/pattern-shape.ts";

function valuesIn(
  pattern: string,
  text: string,
  { from = 0, to = text.length, group = 0 } = {},
): [number, string][] {
  const { bytesMax } = shapeOf(pattern);
  const bounds = { seenBytes: Math.min(bytesMax, 16), isBounded: bytesMax <= 16 };
  const search = new PatternSearch({ pattern, group }, bounds);
  const utf8 = Buffer.from(text);
  const values: [number, string][] = [];
  search.search(utf8, from, to, (at, end) => values.push([at, utf8.toString("utf8", at, end)]));
  return values;
}

describe("PatternSearch", () => {
  const number = String.raw`\b\d{3}\b`;
  test.each([
    ["a boundary before the part", number, "1234 567", { from: 1 }, [[5, "567"]]],
    ["a boundary behind the part", number, "567 1234", { to: 7 }, [[0, "567"]]],
    ["a match that begins in the part", number, "123 567", { to: 1 }, [[0, "123"]]],
    ["a match that begins behind the part", number, "x 567", { to: 2 }, []],
    ["a match that begins before the part", "ab+", "abbb", { from: 1 }, []],
    ["the value is a group", "a(b*)c", "abbc ac", { group: 1 }, [[1, "bb"]]],
    ["a group without a part in the match", "a(b)?", "ab a", { group: 1 }, [[1, "b"]]],
    ["empty matches", "b*", "abba", {}, [[1, "bb"]]],
    [
      "a match that goes on behind what is seen at first",
      "a+",
      "a".repeat(500),
      { to: 1 },
      [[0, "a".repeat(500)]],
    ],
    [
      "a match of repeats that goes on behind what is seen at first",
      "(?:abc)+",
      "abc".repeat(500),
      { to: 1 },
      [[0, "abc".repeat(500)]],
    ],
    [
      "a group that is an alternative",
      String.raw`x\d+|\b(\d+)\b|\d`,
      "x12 34 5a",
      { group: 1 },
      [[4, "34"]],
    ],
    [
      "a group that an alternative before it eats",
      String.raw`\d+x|(\d+)`,
      "12x 34",
      { group: 1 },
      [[4, "34"]],
    ],
    // Cut behind its end, "ab" looks like a whole word.
    ["a start that only the cut shows", String.raw`ab\b|b`, "abc", {}, [[1, "b"]]],
  ] as const)("%s", (_, pattern, text, options, expected) => {
    expect(valuesIn(pattern, text, options)).toEqual(expected);
  });

  const patterns = [
    String.raw`\b\d{2}(?:[- ]?\d){1,4}\b`,
    String.raw`a+b?|[ab-]{3}`,
    String.raw`(?:1|12|a)\b-?`,
    String.raw`\b[^\d ]{2,3}`,
  ];
  test.each(patterns)("%s: finds what a search of the whole text finds", (pattern) => {
    const text = fc.stringMatching(/^[ab12 é-]{0,60}$/);
    fc.assert(
      fc.property(text, (whole) => {
        const expected = [...whole.matchAll(new RegExp(pattern, "gu"))].map(([value]) => value);
        const found = valuesIn(pattern, whole, { to: Buffer.byteLength(whole) });
        expect(found.map(([, value]) => value)).toEqual(expected);
      }),
    );
  });

  test("finds what lies across the borders of windows", () => {
    for (let shift = -6; shift <= 6; shift += 1) {
      const text = `${"x ".repeat(entityWindowBytes / 2).slice(0, shift - 4)} 12-34-5 `;
      expect(valuesIn(patterns[0] ?? "", text).map(([, value]) => value)).toEqual(["12-34-5"]);
    }
  });
});
