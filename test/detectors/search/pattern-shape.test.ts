import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupAlternativeOf, shapeOf } from "../../../src/detectors/search/pattern-shape.ts";

describe("shapeOf", () => {
  test.each([
    [String.raw`\b\d{3}-\d{2}-\d{4}\b`, 11, 9],
    [String.raw`(?:\+\d{1,3} ?)?\d{4}`, 9, 4],
    [String.raw`ab|c\d|[0-9]{3}`, 3, 0],
    [String.raw`1\d|[2-5]{3}`, 3, 2],
    [String.raw`[0-9a-f]{8}`, 8, 0],
    [String.raw`[^"]{2,5}`, 20, 0],
    [String.raw`é.\pL`, 12, 0],
    [String.raw`(?P<year>\d{4})(?<month>\d\d)?`, 6, 4],
    [String.raw`(?i:ab)(?i)c`, 3, 0],
    [String.raw`[]\d]x[\]-]`, 3, 0],
    [String.raw`[[:digit:]]{2}[[:^digit:]]`, 6, 2],
    [String.raw`\x{e9}\x41\.\$`, 7, 0],
    [String.raw`a{2}{3}`, null, null],
    [String.raw`a*`, Infinity, 0],
    [String.raw`(?:\d{2,}){2}`, Infinity, 4],
    [String.raw`(?:\b)*`, 0, 0],
    [String.raw`a??b+?`, Infinity, 0],
    ["", 0, 0],
  ])("%s: at most %d bytes, at least %d digits", (pattern, bytesMax, digitsMin) => {
    if (bytesMax === null) expect(() => shapeOf(pattern)).toThrow("not understood");
    else expect(shapeOf(pattern)).toEqual({ bytesMax, digitsMin });
  });

  test.each(["(", "a)", "*", "[a", String.raw`\Q.\E`, "(?=a)", String.raw`\1`])(
    "%s is not understood",
    (pattern) => {
      expect(() => shapeOf(pattern)).toThrow("not understood");
    },
  );

  test.each([
    [String.raw`\d[.,]\d+|\b(\d{7,12})\b`, 1, 12, 7],
    [String.raw`a+|(b)(?:c+|(\d)d)|e+`, 1, Infinity, 0],
    [String.raw`a+|(b)(?:c+|(\d)d)|e+`, 2, 3, 1],
    [String.raw`(?:(?P<word>a)|b+)`, 1, 1, 0],
  ])(
    "%s: where group %d takes part, at most %d bytes, at least %d digits",
    (pattern, group, bytesMax, digitsMin) => {
      expect(shapeOf(pattern, group)).toEqual({ bytesMax, digitsMin });
    },
  );

  const patterns = [
    String.raw`[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?`,
    String.raw`(?:\d{1,4}|[a-f]\d)(?:[ .-]?\d{2,4}){1,4}`,
    String.raw`[^\d\s]{0,3}(?:x|yz|\d\d)\W?é?`,
  ];
  test.each(patterns)("no match of %s has another shape", (pattern) => {
    const { bytesMax, digitsMin } = shapeOf(pattern);
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(`^(?:${pattern})$`, "u")), (match) => {
        expect(Buffer.byteLength(match)).toBeLessThanOrEqual(bytesMax);
        expect(match.replace(/[^0-9]/g, "").length).toBeGreaterThanOrEqual(digitsMin);
      }),
    );
  });
});

describe("groupAlternativeOf", () => {
  test.each([
    [String.raw`(a+)`, 1, "(a+)", null],
    [String.raw`\b(a+)\b`, 1, String.raw`\b(a+)\b`, null],
    [String.raw`x\d*|\b(?:(a+))\b|y`, 1, String.raw`\b(?:(a+))\b`, String.raw`x\d*`],
    [String.raw`(x)|[|]|(a|b)`, 2, "(a|b)", "(x)|[|]"],
  ])("in %s group %d is all of %s; preferred is %s", (pattern, group, source, preferred) => {
    expect(groupAlternativeOf(pattern, group)).toEqual({ source, preferred });
  });

  test.each([
    ["a(b)", 1],
    ["(a)b", 1],
    ["(a)?", 1],
    ["(a)+", 1],
    ["(a)(b)", 2],
    ["x(?:(a)|b)", 1],
    ["(?:(a)|b)", 1],
    ["(?i)(a)", 1],
    ["(a)", 2],
  ])("in %s group %d is not all of an alternative", (pattern, group) => {
    expect(groupAlternativeOf(pattern, group)).toBeNull();
  });
});
