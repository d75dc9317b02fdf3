import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bitsPerCharacter, relativeEntropy } from "../../../src/detectors/credentials/entropy.ts";

describe("bitsPerCharacter", () => {
  it.each([
    ["", 0],
    ["aaaa", 0],
    ["abab", 1],
    ["abcd", 2],
    ["0123456789abcdef", 4],
  ])("%j has %d bits a character", (text, bits) => {
    expect(bitsPerCharacter(text)).toBeCloseTo(bits);
  });

  it("does not depend on the order, and is at most the logarithm of the length", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const bits = bitsPerCharacter(text);
        expect(bits).toBeCloseTo(bitsPerCharacter([...text].reverse().join("")));
        expect(bits).toBeLessThanOrEqual(Math.log2(text.length) + 1e-9);
      }),
    );
  });
});

describe("relativeEntropy", () => {
  it.each([
    ["a", 0],
    ["0123456789abcdef", 1],
    ["0123456789", 1],
    ["v7Tq2Lxk81cQn4Vt", 1],
    ["3f0c9a1e7b524d8e9c0652d1b7e9a4f3", 1],
    ["aaaaaaaaaaaaaaab", 0.08],
  ])("%j reaches %d", (text, share) => {
    expect(relativeEntropy(text)).toBeCloseTo(share, 1);
  });
});
