import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDigitClusters } from "../../../src/detectors/search/digit-clusters.ts";

function clusters(text: string, gapBytesMax: number, digitsMin: number): [string, number][] {
  const all: [string, number][] = [];
  findDigitClusters(Buffer.from(text), gapBytesMax, digitsMin, (from, to, digits) => {
    all.push([text.slice(from, to), digits]);
  });
  return all;
}

describe("findDigitClusters", () => {
  test.each([
    ["", []],
    ["no digits", []],
    ["1234", [["1234", 4]]],
    ["a 12-34 b", [["12-34", 4]]],
    ["123", []],
    [
      "12  34    5678",
      [
        ["12  34", 4],
        ["5678", 4],
      ],
    ],
    ["1   2   3   4", []],
  ] as const)("%j: four digits, three bytes apart", (text, expected) => {
    expect(clusters(text, 3, 4)).toEqual(expected);
  });

  test("every digit of a text is in one cluster, neighbours nearer than the gap in the same", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9 a]{0,60}$/),
        fc.integer({ min: 1, max: 6 }),
        (text, gap) => {
          const parts = text.split(new RegExp(`[^0-9]{${gap},}`));
          const expected = parts.map((part) => part.trim()).filter((part) => /[0-9]/.test(part));
          const found = clusters(text, gap, 1);
          const digits = expected.map((part) => part.replace(/[^0-9]/g, ""));
          expect(found.map(([cluster]) => cluster.replace(/[^0-9]/g, ""))).toEqual(digits);
          expect(found.map(([, count]) => count)).toEqual(digits.map(({ length }) => length));
        },
      ),
    );
  });
});
