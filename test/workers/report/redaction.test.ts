import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntityMatch } from "../../../src/detectors/entity.ts";
import type { LeafForm } from "../../../src/workers/segment/leaf.ts";
import { Place } from "../../../src/workers/segment/place.ts";
import { Redaction } from "../../../src/workers/report/redaction.ts";

function match(text: string, value: string): EntityMatch {
  const start = text.indexOf(value);
  const detector = { entityType: "PHONE_NUMBER", label: "PHONE", category: "pii" } as const;
  return { detector, start, end: start + value.length, score: 1 };
}

function leaf(form: LeafForm, start: number, end: number) {
  return { place: Place.source("request"), form, segment: null, start, end } as const;
}

test("nothing found, nothing redacted", () => {
  const redaction = new Redaction();
  redaction.add(leaf("string", 1, 3), "ab", []);
  expect(redaction.apply(Buffer.from('"ab"'))).toBeNull();
});

test("a string is replaced within its quotes and stays JSON, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
      const text = `${before}4155550132${after}`;
      const json = JSON.stringify({ kept: 1, text });
      const start = '{"kept":1,"text":"'.length;
      const end = Buffer.byteLength(json) - '"}'.length;
      const redaction = new Redaction();
      redaction.add(leaf("string", start, end), text, [match(text, "4155550132")]);
      const redacted = redaction.apply(Buffer.from(json));
      const expected = text.replace("4155550132", () => "<PHONE>");
      expect(JSON.parse(redacted ?? "")).toEqual({ kept: 1, text: expected });
    }),
  );
});

describe("structured content stays JSON", () => {
  test.each([
    ["in a string", '{"a":"call 4155550132 now"}', { a: "call <PHONE> now" }],
    ["behind an escaped quote", '{"a":"\\"4155550132"}', { a: '"<PHONE>' }],
    ["a number", '{"a":4155550132,"b":1}', { a: "<PHONE>", b: 1 }],
    ["part of a number", '{"a":1.4155550132}', "<PHONE>"],
  ])("%s", (_name, json, expected) => {
    const redaction = new Redaction();
    redaction.add(leaf("serialized", 0, json.length), json, [match(json, "4155550132")]);
    expect(JSON.parse(redaction.apply(Buffer.from(json)) ?? "")).toEqual(expected);
  });
});

describe("a tool call's arguments stay JSON if they are", () => {
  test.each([
    ["a number", '{"a":4155550132}', '{"a":"<PHONE>"}'],
    ["in a string", '{"a":"call 4155550132"}', '{"a":"call <PHONE>"}'],
    ["cut off", '{"a":4155550132', '{"a":<PHONE>'],
  ])("%s", (_name, text, expected) => {
    const json = JSON.stringify(text);
    const redaction = new Redaction();
    redaction.add(leaf("string", 1, json.length - 1), text, [match(text, "4155550132")], true);
    expect(JSON.parse(redaction.apply(Buffer.from(json)) ?? "")).toBe(expected);
  });
});
