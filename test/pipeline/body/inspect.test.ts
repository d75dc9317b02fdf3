import { describe, expect, test } from "vitest";
import { Inspection } from "../../../src/pipeline/body/inspect.ts";

function inspect(text: string) {
  const bytes = Buffer.from(text);
  const inspection = new Inspection();
  const refusal = inspection.grown(bytes, bytes.length);
  return refusal === undefined ? inspection.finish(bytes) : ({ ok: false, refusal } as const);
}

describe("what the gateway reads of a body", () => {
  test("model, provider and stream, wherever they stand", () => {
    const outcome = inspect(
      '{"messages":[{"model":"x"}],"stream":true,"mod\\u0065l":"a\\/b","provider":"p"}',
    );
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    expect(outcome.value.model?.value).toBe("a/b");
    expect(outcome.value.provider?.value).toBe("p");
    expect(outcome.value.stream).toBe(true);
  });

  test("a provider object is the provider's own member", () => {
    const outcome = inspect('{"model":"m","provider":{"order":["x"]}}');
    expect(outcome.ok && outcome.value.provider).toBe(null);
  });

  test.each(['{"stream":"true"}', '{"stream":1}', "{}"])("no stream: %s", (text) => {
    const outcome = inspect(text);
    expect(outcome.ok && outcome.value.stream).toBe(false);
  });
});

describe("bodies that are refused", () => {
  test.each([
    ["not JSON", "model=x"],
    ["empty", ""],
    ["an array", "[]"],
    ["trailing text", "{} {}"],
    ["a member twice", '{"model":"a","model":"b"}'],
    ["a member twice, escaped", '{"model":"a","\\u006dodel":"b"}'],
    ["a member twice, in other case", '{"messages":[],"Messages":[]}'],
    ["a member twice, with the long s", '{"messages":[],"me\u017fsages":[]}'],
    ["a scanned member twice", '{"tools":[],"tools":[]}'],
  ])("%s", (_name, text) => {
    const outcome = inspect(text);
    expect(outcome).toMatchObject({ ok: false, refusal: { code: "invalid_request" } });
  });

  test("invalid UTF-8", () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(new Inspection().finish(bytes).ok).toBe(false);
  });

  test("other members may stand twice: they reach the provider as sent", () => {
    expect(inspect('{"metadata":1,"metadata":2}').ok).toBe(true);
  });
});
