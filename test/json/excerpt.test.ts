import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonExcerpt } from "../../src/json/excerpt.ts";

const members = { kept: new Set(["id", "output", "usage"]), whole: new Set(["usage"]) };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What is to be kept, by parsed JSON. */
function expected(value: Json, isWhole = false): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expected(item, isWhole));
  const all = Object.entries(value);
  const kept = all.filter(([name]) => isWhole || members.kept.has(name));
  return Object.fromEntries(
    kept.map(([name, item]) => [name, expected(item, isWhole || members.whole.has(name))]),
  );
}

function excerpt(text: string, cuts: readonly number[] = [], bytesMax = 100_000): Json | undefined {
  const bytes = Buffer.from(text);
  const one = new JsonExcerpt(members, bytesMax);
  const places = [...cuts.filter((cut) => cut < bytes.length), bytes.length].sort((a, b) => a - b);
  let start = 0;
  for (const end of places) {
    one.push(bytes.subarray(start, end));
    start = end;
  }
  return one.kept === null ? undefined : (JSON.parse(one.kept.toString()) as Json);
}

const name = fc.constantFrom("id", "output", "usage", "text", "a b", 'q"uote', "é", "");
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1.5e-9, "", '"', "\\", 'a\\"b', "{[", "]}", "€"),
  fc.string(),
  fc.integer(),
);
const { value } = fc.letrec<{ value: Json; object: { [key: string]: Json } }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    tie("object"),
    fc.array(tie("value"), { maxLength: 4 }),
  ),
  object: fc.dictionary(name, tie("value"), { maxKeys: 5 }),
}));
const object = fc.dictionary(name, value, { maxKeys: 5 });

test("keeps the named members and nothing else, however the text is cut and spaced", () => {
  fc.assert(
    fc.property(
      object,
      fc.array(fc.nat(500)),
      fc.constantFrom(0, 2, "\t\r\n"),
      (json, cuts, space) => {
        const text = JSON.stringify(json, null, space);
        expect(excerpt(text, cuts)).toEqual(expected(json));
        expect(excerpt(`data: ${text}`, cuts)).toEqual(expected(json));
      },
    ),
    { numRuns: 1000 },
  );
});

test("leaves out what is too long or too deep", () => {
  const long = "x".repeat(5000);
  expect(excerpt(JSON.stringify({ id: long, [long]: 1, output: ["a", long] }))).toEqual({
    output: ["a"],
  });
  const deep = `${'{"output":'.repeat(80)}1${"}".repeat(80)}`;
  let levels = 0;
  for (let at = excerpt(deep) as { output?: never } | undefined; at !== undefined; at = at.output)
    levels++;
  expect(levels).toBe(64);
});

test("gives nothing where more would be kept than may be, or the text has no end", () => {
  const text = JSON.stringify({ output: Array.from({ length: 100 }, (_, id) => ({ id })) });
  expect(excerpt(text, [], 2000)).toEqual(JSON.parse(text));
  expect(excerpt(text, [], 200)).toBeUndefined();
  expect(excerpt(text.slice(0, -1))).toBeUndefined();
  expect(excerpt("[1]")).toBeUndefined();
});

test("bytes that are no JSON end the excerpt, or give something that is read as it is", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "id", "usage", "\\", "1", " ")),
      (parts) => {
        const one = new JsonExcerpt(members, 50);
        one.push(Buffer.from(parts.join("")));
        expect((one.kept?.length ?? 0) <= 50).toBe(true);
      },
    ),
  );
});
