import fc from "fast-check";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { members } from "../../src/contract/documented-schema.ts";
import { SchemaReader } from "../../src/contract/schema-reader.ts";

const Item = members(
  { id: Type.Integer({ errorMessage: "a whole number" }), tag: Type.Optional(Type.String()) },
  { description: "An item." },
);
const Body = members(
  {
    items: Type.Array(Item, { minItems: 1, maxItems: 3, errorMessage: "a list of 1 to 3 items" }),
    either: Type.Optional(
      Type.Union([Type.String(), Type.Array(Item)], { errorMessage: "a string or items" }),
    ),
  },
  { description: "A body." },
);
const reader = new SchemaReader(Body);

function message(value: unknown): string {
  const read = reader.read(value);
  return read.ok ? "" : read.refusal.message;
}

describe("the first fault is named by its JSON pointer", () => {
  const ok = { id: 1 };
  test.each<[value: unknown, expected: string]>([
    [{ items: [ok] }, ""],
    [5, "The body must be an object."],
    [null, "The body must be an object."],
    [[], "The body must be an object."],
    [{}, "/items must be a list of 1 to 3 items, but it is missing."],
    [{ items: [] }, "/items must be a list of 1 to 3 items."],
    [{ items: [ok, ok, ok, ok] }, "/items must be a list of 1 to 3 items."],
    [{ items: { 0: ok } }, "/items must be a list of 1 to 3 items."],
    [{ items: [ok, { id: "x" }] }, "/items/1/id must be a whole number."],
    [{ items: [ok, {}] }, "/items/1/id must be a whole number, but it is missing."],
    [{ items: [{ ...ok, tag: 1 }] }, "/items/0/tag must be another value."],
    [
      { items: [{ ...ok, x: 1 }] },
      '/items/0 must be an object with no members but id, tag; it has "x".',
    ],
    [{ items: [ok], either: 1 }, "/either must be a string or items."],
    [{ items: [ok], either: [ok, 1] }, "/either/1 must be an object."],
    [
      { items: [ok], x: 1 },
      'The body must be an object with no members but items, either; it has "x".',
    ],
    [
      { items: [ok], ["x".repeat(65)]: 1 },
      `The body must be an object with no members but items, either; it has "${"x".repeat(64)}".`,
    ],
    [
      { items: [ok], ["__proto__"]: 1, y: 1 },
      'The body must be an object with no members but items, either; it has "__proto__".',
    ],
  ])("%o", (value, expected) => {
    expect(message(value)).toBe(expected);
  });

  test("`param` is the top-level member", () => {
    expect(reader.read({ items: [{ id: "x" }] })).toMatchObject({
      refusal: { details: { param: "items" } },
    });
  });
});

const anything = fc.record(
  {
    items: fc.oneof(
      fc.array(fc.record({ id: fc.oneof(fc.integer(), fc.string()) }), { maxLength: 5 }),
      fc.jsonValue(),
    ),
    either: fc.oneof(fc.string(), fc.jsonValue()),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

test("accepts what the schema does, and refuses the rest with a message", () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(reader.read(value).ok).toBe(Check(Body, value));
    }),
  );
});

test("members that were read before are named among those that are taken", () => {
  const read = reader.read({ items: [{ id: 1 }], x: 1 }, ["name"]);
  expect(read).toMatchObject({
    refusal: {
      message: 'The body must be an object with no members but name, items, either; it has "x".',
    },
  });
  expect(reader.read({ items: [{ id: 1, name: 1 }] }, ["name"])).toMatchObject({
    refusal: { message: '/items/0 must be an object with no members but id, tag; it has "name".' },
  });
});

test("a refusal quotes nothing of the value but the name of a member that is not taken", () => {
  const secret = "hunter2";
  for (const value of [
    secret,
    { items: secret },
    { items: [{ id: secret }] },
    { items: [{ id: 1, x: secret }] },
    { items: [{ id: 1 }], x: { [secret]: secret } },
    { items: [{ id: 1 }], [`${"x".repeat(64)}${secret}`]: 1 },
    { items: [{ id: 1 }], [`my password is ${secret}`]: 1 },
    { items: [{ id: 1 }], [`${secret}@example.com`]: 1 },
  ]) {
    expect(message(value)).not.toBe("");
    expect(message(value)).not.toContain(secret);
  }
});
