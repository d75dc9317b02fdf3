import { describe, expect, it } from "vitest";
import { isSequence, isTyped } from "../../../src/detectors/credentials/sequence.ts";
import { alphabets, randomText, seededRandom } from "./seeded-random.ts";

describe("isSequence", () => {
  it.each([
    ["1234567890abcdef", true],
    ["abcdefgh1", true],
    ["98765432", true],
    ["qwertyuiop", true],
    ["QWERTZ-1234-asdf", true],
    ["a1b2c3d4e5f6", true],
    ["0a1b2c3d4e5f6a7b8c9d0e1f", true],
    ["abc123def456", true],
    ["aabbccddeeff0011", true],
    ["000102030405060708090a0b", true],
    ["12345678-90ab-cdef-1234-567890abcdef", true],
    ["v7Tq2Lxk81cQn4Vt90Zp", false],
    ["a7b2c9d4e1f6", false],
    ["abd123deg456", false],
    ["deadbeef1234cafe", false],
    ["", false],
  ])("%j: %s", (value, expected) => {
    expect(isSequence(value)).toBe(expected);
  });
});

describe("isTyped", () => {
  it.each([
    ["1234567890abcdefghijklmnopqrstuvwxyz", true],
    ["AbCdEfGhIjKlMnOpQrStUvWxYz12345678", true],
    ["0123456789abcdef0123456789abcdef", true],
    ["1234567890v7Tq2Lxk81", false],
    ["", false],
  ])("%j: %s", (value, expected) => {
    expect(isTyped(value)).toBe(expected);
  });

  it("is no random text", () => {
    const random = seededRandom(3);
    for (const alphabet of Object.values(alphabets)) {
      for (let draw = 0; draw < 2_000; draw += 1) {
        expect(isTyped(randomText(random, alphabet, 16 + (draw % 32)))).toBe(false);
      }
    }
  });
});
