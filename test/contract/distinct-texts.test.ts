import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { expect, test } from "vitest";
import { withDistinctTexts } from "../../src/contract/distinct-texts.ts";
import { CreateKey } from "../../src/contract/keys-api/api-key.ts";
import { SchemaReader } from "../../src/contract/schema-reader.ts";
import { codeOf } from "../store/temporary-store.ts";

const schema = Type.Object(
  {
    texts: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z]+$" }), { uniqueItems: true })),
    either: Type.Optional(
      Type.Union([
        Type.Array(Type.String(), { uniqueItems: true, maxItems: 2 }),
        Type.Null(),
        Type.Array(Type.Number()),
      ]),
    ),
    objects: Type.Optional(Type.Array(Type.Object({ a: Type.Number() }), { uniqueItems: true })),
    uniqueItems: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

test.each<[value: unknown, valid: boolean]>([
  [{}, true],
  [{ texts: [] }, true],
  [{ texts: ["a", "b"] }, true],
  [{ texts: ["a", "b", "a"] }, false],
  [{ texts: ["a", "A"] }, false],
  [{ texts: "a" }, false],
  [{ texts: null }, false],
  [{ either: ["a", "b"] }, true],
  [{ either: ["a", "a"] }, false],
  [{ either: ["a", "b", "c"] }, false],
  [{ either: [1, 1] }, true],
  [{ either: null }, true],
  [{ objects: [{ a: 1 }, { a: 2 }] }, true],
  [{ objects: [{ a: 1 }, { a: 1 }] }, false],
  [{ uniqueItems: true }, true],
  [{ uniqueItems: 1 }, false],
  [{ other: 1 }, false],
])("%j is judged as by the schema itself", (value, valid) => {
  expect(Compile(schema).Check(value)).toBe(valid);
  expect(Compile(withDistinctTexts(schema)).Check(value)).toBe(valid);
});

test("models of a key are not hashed, and have to differ", () => {
  const key = { orgId: null, name: "a" };
  const reader = new SchemaReader(CreateKey);
  expect(JSON.stringify(CreateKey)).toContain("uniqueItems");
  expect(JSON.stringify(withDistinctTexts(CreateKey))).not.toContain("uniqueItems");
  expect(codeOf(reader.read({ ...key, allowedModels: ["a/b", "a/c"] }))).toBe("accepted");
  expect(reader.read({ ...key, allowedModels: ["a/b", "a/b"] })).toMatchObject({
    refusal: { details: { param: "allowedModels" } },
  });
});
