import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalBody } from "../../../src/pipeline/cache/canonical-body.ts";

const canonical = (text: string): string => canonicalBody(Buffer.from(text)).toString("utf8");

const whiteSpace = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

/** A JSON text as somebody may spell it, token by token. */
const tokens = fc.letrec<{ value: string[] }>((tie) => {
  const string = fc.oneof(
    fc.string({ unit: "binary", maxLength: 8 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"a \\" b"', '"\\\\"', '"\\u0041"', '" {\\"x\\": 1 } "', '"\\ud83d"'),
  );
  const scalar = fc
    .oneof(string, fc.constantFrom("1", "1.0", "1e0", "-0", "0.10", "true", "false", "null"))
    .map((text) => [text]);
  const value = tie("value");
  const list = (items: string[][]): string[] =>
    items.flatMap((item, i) => (i === 0 ? item : [",", ...item]));
  const array = fc.array(value, { maxLength: 3 }).map((items) => ["[", ...list(items), "]"]);
  const member = fc.tuple(string, value).map(([key, of]) => [key, ":", ...of]);
  const object = fc.array(member, { maxLength: 3 }).map((items) => ["{", ...list(items), "}"]);
  return { value: fc.oneof({ maxDepth: 4 }, scalar, array, object) };
}).value;

describe("the canonical form of a body", () => {
  it("is its tokens, whatever stands between them, and nothing else", () => {
    fc.assert(
      fc.property(tokens, fc.infiniteStream(whiteSpace), (text, spaces) => {
        const spaced = text.map((token) => `${spaces.next().value ?? ""}${token}`).join("");
        expect(canonical(`${spaced} \n`)).toBe(text.join(""));
      }),
      { numRuns: 2_000 },
    );
  });

  it("says what the body says, to whoever parses it", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, "\t"), (text, indent) => {
        const parsed: unknown = JSON.parse(text);
        const compact = canonical(JSON.stringify(parsed, null, indent));
        expect(compact).toBe(JSON.stringify(parsed));
      }),
    );
  });

  it.each([
    ["how a number is spelt", '{"t":1}', '{"t":1.0}'],
    ["how a number is spelt", '{"t":100}', '{"t":1e2}'],
    [
      "which number it is, beyond what a double holds",
      '{"t":9007199254740992}',
      '{"t":9007199254740993}',
    ],
    ["the order of members", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["a member that stands twice", '{"a":1}', '{"a":1,"a":1}'],
    ["which of two comes last", '{"a":1,"a":2}', '{"a":2,"a":1}'],
    ["how a string is escaped", '{"a":"A"}', '{"a":"\\u0041"}'],
    ["white space in a string", '{"a":"b c"}', '{"a":"b  c"}'],
    ["white space in a name", '{"a ":1}', '{"a":1}'],
    ["an escaped quote before white space", '{"a":"\\" "}', '{"a":"\\""}'],
    ["null and nothing", '{"a":null}', "{}"],
  ])("keeps apart: %s", (_what, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  it("reads shared memory", () => {
    const text = Buffer.from('{ "a" : [ 1 , "x y" ] }');
    const shared = new Uint8Array(new SharedArrayBuffer(text.length));
    shared.set(text);
    expect(canonicalBody(shared).toString()).toBe('{"a":[1,"x y"]}');
  });
});
