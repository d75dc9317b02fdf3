import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsDown, centsUp, formatUsd, microUsd, parseUsd } from "../../src/contract/money.ts";

describe("parseUsd", () => {
  test.each([
    ["1.25", 1_250_000n],
    ["0", 0n],
    ["10", 10_000_000n],
    ["0.000001", 1n],
    ["0.1", 100_000n],
    ["999999999999.999999", 999_999_999_999_999_999n],
  ])("%s", (text, amount) => {
    expect(parseUsd(text)).toEqual({ ok: true, value: amount });
  });

  test.each(
    [
      "",
      "-1",
      "+1",
      "1.",
      ".5",
      "01",
      "1.0000001",
      "1e3",
      "0x10",
      "1,5",
      " 1",
      "1\n",
      "NaN",
    ].concat("1000000000000", "Infinity"),
  )("%j is none", (text) => {
    expect(parseUsd(text)).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
  });
});

describe("formatUsd", () => {
  test.each([
    [0n, "0.000000"],
    [1n, "0.000001"],
    [1_250_000n, "1.250000"],
    [-1n, "-0.000001"],
    [-12_345_678n, "-12.345678"],
    [123_456_789_012n, "123456.789012"],
  ])("%s", (amount, text) => {
    expect(formatUsd(microUsd(amount))).toBe(text);
  });

  test("is read back as it was", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n }), (amount) => {
        expect(parseUsd(formatUsd(microUsd(amount)))).toEqual({ ok: true, value: amount });
      }),
    );
  });
});

describe("cents", () => {
  test.each([
    [0n, 0, 0],
    [1n, 0, 1],
    [9_999n, 0, 1],
    [10_000n, 1, 1],
    [10_001n, 1, 2],
    [-1n, -1, 0],
    [-10_000n, -1, -1],
    [-10_001n, -2, -1],
  ])("%s micro-dollars: %s down, %s up", (amount, down, up) => {
    expect(centsDown(microUsd(amount))).toBe(down);
    expect(centsUp(microUsd(amount))).toBe(up);
  });
});
