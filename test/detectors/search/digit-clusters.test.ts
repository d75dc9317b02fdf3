import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DigitClusters, forEachDigitRun } from "../../../src/detectors/search/digit-clusters.ts";
import { DigitCount } from "../../../src/detectors/search/digit-count.ts";

function runsOf(text: string): [from: number, to: number][] {
  const runs: [number, number][] = [];
  forEachDigitRun(Buffer.from(text), (from, to) => runs.push([from, to]));
  return runs;
}

function clusters(text: string, gapBytesMax: number, digitsMin: number): [string, number][] {
  const all: [string, number][] = [];
  const joined = new DigitClusters(gapBytesMax, digitsMin, (from, to, digits) => {
    all.push([text.slice(from, to), digits]);
  });
  for (const [from, to] of runsOf(text)) joined.add(from, to);
  joined.end();
  return all;
}

const far = " ".repeat(300);
const lessFar = " ".repeat(200);

describe("DigitClusters", () => {
  test.each([
    ["", []],
    ["no digits", []],
    ["1234", [["1234", 4]]],
    ["a 12-34 b", [["12-34", 4]]],
    ["123", []],
    ["1   2   3   4", [["1   2   3   4", 4]]],
    ["1    23    456", []],
    [
      `12  34${far}5678`,
      [
        ["12  34", 4],
        ["5678", 4],
      ],
    ],
    [`1234${lessFar}5678`, [[`1234${lessFar}5678`, 8]]],
    [
      `1234${lessFar}5${lessFar}6789`,
      [
        ["1234", 4],
        ["6789", 4],
      ],
    ],
    [`1234${lessFar}5${lessFar}6${lessFar}7`, [["1234", 4]]],
  ] as const)("%j: four digits, three bytes apart", (text, expected) => {
    expect(clusters(text, 3, 4)).toEqual(expected);
  });

  test("runs are those of a regular expression, wherever the text lies in memory", () => {
    const piece = fc.oneof(
      fc.constantFrom("0", "9", "/", ":", "?", "a", "é", "\u{10000}", "0123456789"),
      fc.string({ unit: "binary", maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(7), (pieces, offset) => {
        const text = Buffer.from(pieces.join(""));
        const utf8 = Buffer.alloc(text.length + offset, "7").subarray(offset);
        text.copy(utf8);
        const runs: [number, number][] = [];
        forEachDigitRun(utf8, (from, to) => runs.push([from, to]));
        const found = utf8.toString("latin1").matchAll(/[0-9]+/g);
        expect(runs).toEqual(
          Array.from(found, ({ 0: digits, index }) => [index, index + digits.length]),
        );
      }),
    );
  });

  test("is ready for another text after the end", () => {
    let found = 0;
    const joined = new DigitClusters(3, 1, () => (found += 1));
    joined.add(0, 1);
    joined.end();
    joined.end();
    expect(found).toBe(1);
  });

  test("with one digit as the least, no digit is lost", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("1", "23", " ", far, "x")), (parts) => {
        const text = parts.join("");
        const found = clusters(text, 3, 1);
        const digits = found.map(([cluster]) => cluster.replace(/[^0-9]/g, "")).join("");
        expect(digits).toBe(text.replace(/[^0-9]/g, ""));
        expect(found.reduce((sum, [, count]) => sum + count, 0)).toBe(digits.length);
      }),
    );
  });
});

describe("forEachDigitRun", () => {
  test("hands over what a regular expression finds", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9/:; a]{0,60}$/), (text) => {
        const expected = [...text.matchAll(/[0-9]+/g)];
        expect(runsOf(text)).toEqual(
          expected.map(({ 0: run, index }) => [index, index + run.length]),
        );
      }),
    );
  });
});

describe("DigitCount", () => {
  test("never counts too few, and too many only from the blocks at the ends", () => {
    const text = fc
      .array(fc.constantFrom("1", "234567", "x", " ".repeat(50)))
      .map((a) => a.join(""));
    fc.assert(
      fc.property(text, fc.nat(500), fc.nat(500), (whole, a, b) => {
        const [from = 0, to = 0] = [a, b]
          .map((at) => Math.min(at, whole.length))
          .sort((x, y) => x - y);
        const count = new DigitCount(whole.length);
        for (const [start, end] of runsOf(whole)) count.add(start, end);
        count.end();
        const digitsIn = (part: string) => part.replace(/[^0-9]/g, "").length;
        expect(count.atMost(from, to)).toBeGreaterThanOrEqual(digitsIn(whole.slice(from, to)));
        const around = whole.slice(Math.max(0, from - 64), to + 64);
        expect(count.atMost(from, to)).toBeLessThanOrEqual(digitsIn(around));
      }),
    );
  });
});
