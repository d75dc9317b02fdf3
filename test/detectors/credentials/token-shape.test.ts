import fc from "fast-check";
import RE2 from "re2";
import { describe, expect, it } from "vitest";
import { isDrawn, mayBeDrawn, TokenShape } from "../../../src/detectors/credentials/token-shape.ts";

const find = (shape: TokenShape, text: string) =>
  new RE2(shape.pattern, "u").exec(text)?.[0] ?? null;

describe("TokenShape", () => {
  it.each([
    ["[0-9a-f]{8}", "x 0a1b2c3d.", "0a1b2c3d", true],
    ["[0-9a-f]{8}", "x 0a1b2c3d4", "0a1b2c3d4", false],
    ["[0-9a-f]{8}", "x 0a1b2c3dz", "0a1b2c3dz", false],
    ["[0-9a-f]{8}", "x 0a1b2c3d-4", "0a1b2c3d", true],
    ["[a-z-]{8}", "x ab-cd-ef-g", "ab-cd-ef-", false],
    ["[A-Za-z0-9+/]{8}", "x ab+cd/ef=", "ab+cd/ef=", false],
    ["[a-z]{4}|[a-z]{8}", "abcd", "abcd", true],
  ])("%s in %j takes %j, whole: %s", (shape, text, taken, whole) => {
    const tokenShape = new TokenShape(shape);
    expect(find(tokenShape, text)).toBe(taken);
    expect(tokenShape.isWhole(taken)).toBe(whole);
  });

  it("never calls the beginning of a longer run whole", () => {
    const shape = new TokenShape("[0-9a-f]{6}");
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{7,20}$/), (run) => {
        expect(shape.isWhole(find(shape, run) ?? "")).toBe(false);
      }),
    );
  });
});

describe("what may be drawn", () => {
  it.each([
    ["9fk2LxT7vq81cQn4", true, true],
    ["QmeadowTreeRiverLake", true, false],
    ["xxxxxxxxxxxxxxxx", false, false],
    ["aaaaaaaaaaaaaaaa", false, false],
    ["718203645091827364", true, true],
    ["111111111111111112", false, false],
  ])("%j after a mark: %s, alone: %s", (value, afterMark, alone) => {
    expect(mayBeDrawn(value)).toBe(afterMark);
    expect(isDrawn(value)).toBe(alone);
  });
});
