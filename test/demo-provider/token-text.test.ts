import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cutText,
  generatedTokens,
  textTokens,
  truncatedTokens,
  type TokenText,
} from "../../src/demo-provider/token-text.ts";

function all(text: TokenText): string[] {
  return Array.from({ length: text.count }, (_, index) => text.at(index));
}

describe("textTokens", () => {
  test.each([
    ["", []],
    ["one two", ["one", " two"]],
    ["abcdefghij", ["abcd", "efgh", "ij"]],
    ["a\n\n b ", ["a", "\n\n b", " "]],
    ["👩‍👩‍👧‍👦", ["👩‍👩‍", "👧‍👦"]],
  ])("%j", (text, tokens) => {
    expect(all(textTokens(text))).toEqual(tokens);
  });

  test("the tokens are the text, and no character is cut in two", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "bc", " ", "\n", "ü", "世", "🎉", "👩‍👩‍👧") }),
        (text) => {
          const tokens = all(textTokens(text));
          expect(tokens.join("")).toBe(text);
          expect(tokens.every((token) => token.isWellFormed())).toBe(true);
        },
      ),
    );
  });
});

test("generated tokens have exactly the bytes asked for and are functions of their index", () => {
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 65_536 }), (index, tokenBytes) => {
      const token = generatedTokens(index + 1, tokenBytes).at(index);
      expect(Buffer.byteLength(token)).toBe(tokenBytes);
      expect(JSON.stringify(token)).toBe(`"${token}"`);
      expect(generatedTokens(1, tokenBytes).at(index)).toBe(token);
    }),
  );
});

test("truncated tokens are the first ones", () => {
  expect(all(truncatedTokens(textTokens("one two three"), 2))).toEqual(["one", " two"]);
  expect(all(truncatedTokens(textTokens("one two"), Infinity))).toEqual(["one", " two"]);
});

test("a cut never leaves half a character", () => {
  expect(cutText("ab🎉", 3)).toBe("ab");
  expect(cutText("ab🎉c", 4)).toBe("ab🎉");
  expect(cutText("ab🎉", 4)).toBe("ab🎉");
});
