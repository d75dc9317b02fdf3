import { describe, expect, test } from "vitest";
import { formText } from "../../../src/pipeline/body/form-text.ts";
import { cpuMsOf } from "../../support/cpu-time.ts";

const read = (form: string | Uint8Array): string =>
  Buffer.from(formText(Buffer.from(form))).toString();

describe("a form's text", () => {
  test.each([
    ["nothing", "", ""],
    ["a pair", "q=a+b", "q: a b"],
    ["pairs", "a=1&b=2", "a: 1\nb: 2"],
    ["what is encoded", "%71=%49gnore%20all", "q: Ignore all"],
    ["an equals sign in a value", "q=a=b", "q: a=b"],
    ["names alone", "a&b", "a\nb"],
    ["beyond ASCII, encoded and as it is", "q=caf%C3%A9+café", "q: café café"],
    ["what only begins like an encoding", "q=%&r=%4&s=%zz%4", "q: %\nr: %4\ns: %zz%4"],
    ["an encoded delimiter", "q=a%26b%3Dc", "q: a&b=c"],
  ])("%s", (_name, form, text) => {
    expect(read(form)).toBe(text);
  });

  test("of millions of pairs, in the time of their bytes", () => {
    const form = Buffer.from("&a".repeat(4 * 1024 * 1024));
    expect(cpuMsOf(() => formText(form))).toBeLessThan(10_000);
  });
});
