import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonReader } from "../../src/json/reader.ts";

/** Members as pairs, so that duplicates stay visible. */
type Tree =
  string | number | boolean | null | readonly Tree[] | { readonly members: [string, Tree][] };

function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.slice(start, end)).toString();
}

/** Reads everything through the reader's own steps. */
function read(reader: JsonReader): Tree {
  switch (reader.type()) {
    case "object": {
      const members: [string, Tree][] = [];
      reader.enter();
      while (reader.nextMember()) {
        const key: unknown = JSON.parse(`"${text(reader.bytes, reader.keyStart, reader.keyEnd)}"`);
        members.push([String(key), read(reader)]);
      }
      return { members };
    }
    case "array": {
      const items: Tree[] = [];
      reader.enter();
      while (reader.nextItem()) items.push(read(reader));
      return items;
    }
    default: {
      reader.skip();
      const value: unknown = JSON.parse(text(reader.bytes, reader.start, reader.end));
      return value as Tree;
    }
  }
}

function encode(tree: Tree, space: () => string): string {
  const s = space;
  if (typeof tree !== "object" || tree === null) return s() + JSON.stringify(tree) + s();
  if ("members" in tree) {
    const members = tree.members.map(
      ([key, value]) => `${s()}${JSON.stringify(key)}${s()}:${encode(value, s)}`,
    );
    return `${s()}{${members.join(",")}${s()}}${s()}`;
  }
  return `${s()}[${tree.map((item) => encode(item, s)).join(",")}${s()}]${s()}`;
}

const { tree } = fc.letrec<{ tree: Tree; string: string }>((tie) => ({
  string: fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('"', "\\", "a", "é", "😀", "{", "]", ",", "\n") }),
    fc.string({ unit: fc.constantFrom("\\", "a"), minLength: 60, maxLength: 140 }),
  ),
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie("string"),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(tie("string"), fc.constant("same")), tie("tree")), { maxLength: 4 })
      .map((members) => ({ members })),
  ),
}));

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

describe("JsonReader", () => {
  it("reads back any JSON text, in order and with duplicates, wherever spaces stand", () => {
    fc.assert(
      fc.property(tree, fc.array(fc.constantFrom("", " ", "\n\t", "\r\n")), (value, spaces) => {
        let turn = 0;
        const json = encode(value, () => spaces[turn++ % (spaces.length || 1)] ?? "");
        const bytes = new TextEncoder().encode(json);
        expect(read(new JsonReader(bytes))).toEqual(value);
        expect(read(new JsonReader(shared(bytes)))).toEqual(value);
      }),
    );
  });

  it("skips any value whole", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const json = JSON.stringify(value);
        const reader = new JsonReader(new TextEncoder().encode(`[${json},"behind"]`), 1);
        reader.skip();
        expect(text(reader.bytes, reader.start, reader.end)).toBe(json);
        expect(reader.nextItem()).toBe(true);
        expect(reader.type()).toBe("string");
      }),
    );
  });

  it.each([
    ["a quote behind an even run of backslashes far into a string", 200, 4],
    ["a quote behind an odd run of backslashes far into a string", 200, 5],
    ["backslashes across the end of the short run", 62, 4],
    ["an escaped quote across the end of the short run", 63, 1],
  ])("%s", (_name, plain, backslashes) => {
    const content = "x".repeat(plain) + "\\".repeat(backslashes);
    const json = backslashes % 2 === 0 ? `"${content}"` : `"${content}" and more"`;
    const reader = new JsonReader(Buffer.from(json));
    reader.skip();
    expect(reader.end).toBe(json.length);
  });

  it("starts where it is told", () => {
    const reader = new JsonReader(Buffer.from('junk{"a":1}'), 4);
    expect(read(reader)).toEqual({ members: [["a", 1]] });
    expect(reader.at).toBe(11);
  });

  it.each(['{"a', '{"a":"b', '["b', "[1", "[", '{"a":[{"b":1}', "", "[1,"])(
    "ends with an error on a text that is cut: %j",
    (json) => {
      expect(() => read(new JsonReader(Buffer.from(json)))).toThrow();
    },
  );
});
