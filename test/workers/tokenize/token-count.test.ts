import fc from "fast-check";
import { countTokens as exact } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { tokenRunCharsMax } from "../../../src/contract/limits.ts";
import { countTokens } from "../../../src/workers/tokenize/token-count.ts";

const max = tokenRunCharsMax;

describe("countTokens", () => {
  it.each([
    ["", 0],
    ["Hello, world!", 4],
    ["<|endoftext|>", 7],
  ])("%j: %d", (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it("equals the tokenizer's count where no run is too long", () => {
    const unit = fc.constantFrom("a", "B", " ", "\n", "1", "-", "é", "漢", "😀", "\ud800", "'s");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
        expect(countTokens(text)).toBe(exact(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  it.each([
    ["words", "some words ".repeat(300)],
    ["sentences without spaces", "漢字、".repeat(300)],
    ["digits", "1".repeat(3_000)],
    ["digits and letters", "a1".repeat(1_000)],
  ])("cuts nothing in long text of %s", (_name, text) => {
    expect(countTokens(text)).toBe(exact(text, { disallowedSpecial: new Set() }));
  });

  it.each(["a", "é", "漢", "😀", " ", "=", "\n"])("counts a run of %j in stretches", (unit) => {
    const length = Math.ceil((10 * max) / unit.length);
    const text = unit.repeat(length);
    const tokens = exact(text.slice(0, 3 * max), { disallowedSpecial: new Set() });
    expect(countTokens(text)).toBeGreaterThan(tokens);
    expect(countTokens(text)).toBeLessThanOrEqual(new TextEncoder().encode(text).length);
  });

  // In one stretch each of these would take hours.
  it.each([
    ["one letter", "a"],
    ["one space", " "],
    ["signs with marks among them", "!!\u0301"],
    ["emoji with variation selectors", "\u263a\ufe0f"],
  ])("is done with a megabyte of %s", (_name, unit) => {
    expect(countTokens(unit.repeat(1_000_000 / unit.length))).toBeGreaterThan(0);
  });
});
