import { describe, expect, it } from "vitest";
import { isPlaceholder } from "../../../src/detectors/credentials/placeholder.ts";

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
    "fake_password_1",
    "testpass123",
    "my_youtube_password",
    "your_notion_integration_token_0",
    "not-my-real-one",
    "foo123bar",
    "TBD_2024x",
    "xxx123xxx",
    "PersonalAccess01245678900000000",
    "deadbeefcafebabe",
    "development_secret_key_0123456789",
    "thisisasecretkey1234567890",
    "a.blk.{bid}.pw1",
    "{0}-{1:015d}",
    "%d.%d.%d-10-g92584ed",
    "(password)",
    Buffer.from("your-password-here").toString("base64"),
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
    "meadow_api_key_v7Tq2Lxk81cQn4Vt90Zp",
    "deadbeef1234cafe9fk2LxT7vq81",
    "kT7{vq2}Lx",
    Buffer.from("frosty-lake-71").toString("base64"),
  ])("%j is none", (value) => {
    expect(isPlaceholder(value)).toBe(false);
  });

  it("looks for the word EXAMPLE in any", () => {
    const text = "v7Tq2Lxk81cQn4Vt90Zp".repeat(10);
    expect(isPlaceholder(`${text}EXAMPLE${text}`)).toBe(true);
    expect(isPlaceholder(text.slice(1))).toBe(false);
  });

  it("does not look for words in text so long that it holds them by chance", () => {
    const text = "v7Tq2Lxk81cQn4Vt90ZpWm5".repeat(1) + "9fk2LxT7vq81cQn4Vt90Zp".repeat(6);
    expect(isPlaceholder(`${text}xxxx${text}`)).toBe(false);
    expect(isPlaceholder("v7Tq2Lxk81xxxxcQn4Vt90Zp")).toBe(true);
  });
});
