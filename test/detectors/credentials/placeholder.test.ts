import { describe, expect, it } from "vitest";
import { isPlaceholder, isSequence } from "../../../src/detectors/credentials/placeholder.ts";

describe("isPlaceholder", () => {
  it.each([
    "changeme",
    "change-this-now",
    "YOUR_API_KEY",
    "your-secret-here",
    "my_secret_token",
    "xxxxxxxxxxxx",
    "sk_XXXX_1",
    "********",
    "abc...xyz",
    "AKIAIOSFODNN7EXAMPLE",
    "${DB_PASSWORD}",
    "$DB_PASSWORD",
    "%DB_PASSWORD%",
    "{{ secrets.token }}",
    "$(cat /run/secret)",
    "#{ENV}",
    "<token>",
    "<your token",
    "[redacted]",
    "@password@",
    "__TOKEN__",
    "%(password)s",
    "abababab",
    "12341234123412",
  ])("%j is one", (value) => {
    expect(isPlaceholder(value)).toBe(true);
  });

  it.each([
    "v7Tq2Lxk81cQn4Vt90Zp",
    "hunter2!",
    "3f0c9a1e-7b52-4d8e-9c06-52d1b7e9a4f3",
    "k#7v(q2)L@x81cQn4&Vt90",
    "p@$$w0rd-frost",
    "AAAAAAAAAAA9fk2LxT7vq8",
  ])("%j is none", (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });

  it("does not look for words in text so long that it holds them by chance", () => {
    const text = "v7Tq2Lxk81cQn4Vt90ZpWm5".repeat(1) + "9fk2LxT7vq81cQn4Vt90Zp".repeat(6);
    expect(isPlaceholder(`${text}xxxx${text}`)).toBe(false);
    expect(isPlaceholder("v7Tq2Lxk81xxxxcQn4Vt90Zp")).toBe(true);
  });
});

describe("isSequence", () => {
  it.each([
    ["1234567890abcdef", true],
    ["abcdefgh1", true],
    ["98765432", true],
    ["qwertyuiop", true],
    ["QWERTZ-1234-asdf", true],
    ["v7Tq2Lxk81cQn4Vt90Zp", false],
    ["deadbeef1234cafe", false],
    ["", false],
  ])("%j: %s", (value, expected) => {
    expect(isSequence(value)).toBe(expected);
  });
});
