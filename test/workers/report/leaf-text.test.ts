import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "../../../src/workers/report/leaf-text.ts";
import { Place } from "../../../src/workers/segment/place.ts";

function serialized(json: string): string {
  const bytes = Buffer.from(json);
  const about = { place: Place.source("messages"), form: "serialized", segment: "tool" } as const;
  return textOf(bytes, { ...about, start: 0, end: bytes.length });
}

describe("the text of structured content", () => {
  it("is what JSON.stringify makes of it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", " ", "\n\t"), (value, indent) => {
        expect(serialized(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value));
      }),
    );
  });

  it.each([
    [String.raw`{ "b": 1.50, "a": "\u0041\/", "1": -0 }`, '{"1":0,"b":1.5,"a":"A/"}'],
    ['{"mail":"a@b.de", "mail" : "x"}', '{"mail":"a@b.de","mail":"x"}'],
    [
      String.raw`{"mail":"","m\u0061il":[{"x":1,"x":2}, null]}`,
      '{"mail":"","mail":[{"x":1,"x":2},null]}',
    ],
  ])("of %s: %s", (json, text) => {
    expect(serialized(json)).toBe(text);
  });
});
