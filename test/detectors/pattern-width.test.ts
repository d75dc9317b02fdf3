import fc from "fast-check";
import { describe, expect, it } from "vitest";
import RE2 from "re2";
import { matchCharsMax } from "../../src/detectors/pattern-width.ts";
import { anyPattern, anyText } from "./patterns.ts";

describe("the longest match of a pattern", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["a|bcd|ef", 3],
    ["(ab){2,3}", 6],
    ["(?:ab)?c", 3],
    ["(?P<name>a)(?<other>b)", 2],
    ["(?i)straße", 6],
    ["(?i:ab)c", 3],
    [String.raw`\bPRJ-\d{1,4}\b`, 8],
    ["^a$", 1],
    ["[a-z]{32}", 32],
    ["[]a]{2}", 2],
    ["[^]a]{2}", 2],
    [String.raw`[\]\d[:alpha:]-]x`, 2],
    [String.raw`\p{Greek}\pL\x{1F600}\x41\.`, 5],
    ["😀é", 2],
    ["a{,3}", 5],
    ["a{x", 3],
    ["a{0}b", 1],
    ["(|a)b", 2],
    [".{0,20}?z", 21],
  ])("%s: %d", (regex, width) => {
    expect(() => new RE2(regex, "u")).not.toThrow();
    expect(matchCharsMax(regex)).toBe(width);
  });

  it.each(["a*", "a+", "a{2,}", "(a|b*)c", ".*?x", String.raw`\C`, String.raw`\Qa*\E`, "(?s).+"])(
    "%s: none",
    (regex) => {
      expect(matchCharsMax(regex)).toBe(Infinity);
    },
  );

  it("is never shorter than a match", () => {
    fc.assert(
      fc.property(anyPattern, anyText, (regex, text) => {
        const width = matchCharsMax(regex);
        for (const { 0: match } of text.matchAll(new RE2(regex, "gu"))) {
          expect(Array.from(match).length).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: 300 },
    );
  });
});
