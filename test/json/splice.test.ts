import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Member } from "../../src/json/scanner.ts";
import { memberEdits, splice, type Edit } from "../../src/json/splice.ts";
import { topLevelOf, valueText } from "./scanning.ts";

function edit(start: number, end: number, text: string): Edit {
  return { start, end, replacement: Buffer.from(text) };
}

function spliced(json: string, edits: readonly Edit[]): string {
  return Buffer.concat(splice(Buffer.from(json), edits)).toString();
}

describe("splice", () => {
  test.each([
    ["nothing", [], "0123456789"],
    ["a replacement", [edit(2, 4, "xyz")], "01xyz456789"],
    ["an insertion", [edit(2, 2, "x")], "01x23456789"],
    ["a removal", [edit(2, 4, "")], "01456789"],
    ["the first bytes", [edit(0, 2, "x")], "x23456789"],
    ["the last bytes", [edit(8, 10, "x")], "01234567x"],
    ["an insertion at both ends", [edit(10, 10, ">"), edit(0, 0, "<")], "<0123456789>"],
    ["everything", [edit(0, 10, "")], ""],
    ["edits in any order", [edit(6, 8, "b"), edit(1, 3, "a")], "0a345b89"],
    ["edits side by side", [edit(2, 4, "a"), edit(4, 6, "b")], "01ab6789"],
    ["an insertion before a replacement", [edit(2, 4, "b"), edit(2, 2, "a")], "01ab456789"],
    ["two insertions in their order", [edit(2, 2, "b"), edit(2, 2, "a")], "01ba23456789"],
  ])("%s", (_title, edits, expected) => {
    expect(spliced("0123456789", edits)).toBe(expected);
  });

  test.each([
    ["the same range twice", [edit(2, 4, ""), edit(2, 4, "")]],
    ["ranges that overlap", [edit(2, 4, ""), edit(3, 5, "")]],
    ["an insertion inside a range", [edit(2, 5, ""), edit(3, 3, "x")]],
    ["a range behind the end", [edit(8, 11, "")]],
    ["a range before the start", [edit(-1, 1, "")]],
    ["a range turned round", [edit(4, 2, "")]],
  ])("throws on %s", (_title, edits) => {
    expect(() => splice(Buffer.from("0123456789"), edits)).toThrow(RangeError);
  });

  it("copies nothing", () => {
    const bytes = Buffer.from("0123456789");
    const replacement = Buffer.from("x");
    const pieces = splice(bytes, [{ start: 2, end: 4, replacement }]);
    expect(pieces[1]).toBe(replacement);
    expect(pieces.map((piece) => piece.buffer)).toEqual([
      bytes.buffer,
      replacement.buffer,
      bytes.buffer,
    ]);
    expect(pieces.map((piece) => piece.byteOffset - bytes.byteOffset)[2]).toBe(4);
  });

  it("is what replacing in a string is", () => {
    const gap = fc.record({
      skip: fc.nat({ max: 5 }),
      take: fc.nat({ max: 5 }),
      text: fc.string(),
    });
    const rank = fc.nat();
    fc.assert(
      fc.property(fc.array(fc.tuple(gap, rank)), (gaps) => {
        let source = "";
        let expected = "";
        const ranked = gaps.map(([{ skip, take, text }, key]) => {
          const start = source.length + skip + 1;
          source += "s".repeat(skip + 1) + "t".repeat(take);
          expected += "s".repeat(skip + 1) + text;
          return { key, edit: edit(start, start + take, text) };
        });
        const shuffled = ranked.toSorted((a, b) => a.key - b.key).map((each) => each.edit);
        expect(spliced(source, shuffled)).toBe(expected);
      }),
    );
  });
});

describe("taking members out and adding some", () => {
  test.each([
    ["the only one", '{"a":1}', ["a"], [], "{}"],
    ["the only one, spaced", '{ "a" : 1 }', ["a"], [], "{}"],
    ["the first", '{"a":1,"b":2,"c":3}', ["a"], [], '{"b":2,"c":3}'],
    ["a middle one", '{"a":1,"b":2,"c":3}', ["b"], [], '{"a":1,"c":3}'],
    ["the last", '{"a":1,"b":2,"c":3}', ["c"], [], '{"a":1,"b":2}'],
    ["the first, indented", '{\n  "a": 1,\n  "b": 2\n}', ["a"], [], '{\n  "b": 2\n}'],
    ["the last, indented", '{\n  "a": 1,\n  "b": 2\n}', ["b"], [], '{\n  "a": 1\n}'],
    ["a middle one, spaced", '{"a":1 , "b" : 2 , "c":3}', ["b"], [], '{"a":1 , "c":3}'],
    ["the first two", '{"a":1,"b":2,"c":3}', ["a", "b"], [], '{"c":3}'],
    ["the last two", '{"a":1,"b":2,"c":3}', ["b", "c"], [], '{"a":1}'],
    ["all but the middle", '{"a":1,"b":2,"c":3}', ["a", "c"], [], '{"b":2}'],
    ["all", '{ "a":1, "b":2 }', ["a", "b"], [], "{}"],
    ["none", '{"a":1}', [], [], '{"a":1}'],
    ["one into none", "{}", [], ['"x":0'], '{"x":0}'],
    ["one into a space", " { } ", [], ['"x":0'], ' {"x":0 } '],
    ["one behind others", '{"a":[1] }', [], ['"x":0'], '{"a":[1],"x":0 }'],
    ["two behind others", '{"a":1}', [], ['"x":0', '"é":1'], '{"a":1,"x":0,"é":1}'],
    ["one for the only one", '{ "a":1 }', ["a"], ['"x":0'], '{"x":0}'],
    ["one for the last", '{"a":1,"b":2}', ["b"], ['"x":0'], '{"a":1,"x":0}'],
    ["one for the first", '{"a":1,"b":2}', ["a"], ['"x":0'], '{"b":2,"x":0}'],
    ["nothing into none", "{ }", [], [], "{ }"],
  ])("%s", (_title, json, removed, added, expected) => {
    const top = topLevelOf(json);
    const leaving = top.members.filter((member) => removed.includes(member.name));
    expect(spliced(json, memberEdits(top, leaving, added))).toBe(expected);
    expect(() => topLevelOf(expected)).not.toThrow();
  });

  it("takes out the one duplicate that is meant", () => {
    const json = '{"a":1,"a":2,"a":3}';
    const top = topLevelOf(json);
    const left = top.members.map((member) => spliced(json, memberEdits(top, [member], [])));
    expect(left).toEqual(['{"a":2,"a":3}', '{"a":1,"a":3}', '{"a":1,"a":2}']);
  });

  it("throws on what has no members, and on members of another object", () => {
    const top = topLevelOf('{"a":1}');
    const [stranger] = topLevelOf('{"a":1}').members;
    expect(() => memberEdits(topLevelOf("[1]"), [], [])).toThrow(TypeError);
    expect(() => memberEdits(top, stranger === undefined ? [] : [stranger], [])).toThrow(
      RangeError,
    );
  });

  const padding = fc.constantFrom("", " ", "\n\t");
  const spacedObject = fc
    .array(fc.tuple(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), padding, padding), {
      maxLength: 6,
    })
    .chain((entries) =>
      fc.record({
        entries: fc.constant(entries),
        kept: fc.array(fc.boolean(), { minLength: entries.length, maxLength: entries.length }),
        added: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }),
        changed: fc.boolean(),
      }),
    );

  it("leaves what is wanted, in order, and no other byte changed", () => {
    fc.assert(
      fc.property(spacedObject, ({ entries, kept, added, changed }) => {
        const json = `{${entries
          .map(
            ([key, value, a, b]) =>
              `${a}${JSON.stringify(key)}${b}:${a}${JSON.stringify(value)}${b}`,
          )
          .join(",")}}`;
        const top = topLevelOf(json);
        const leaving = top.members.filter((_, index) => kept[index] !== true);
        const staying = top.members.filter((_, index) => kept[index] === true);
        const additions = added.map((name) => `${JSON.stringify(name)}:"new"`);
        const values = changed
          ? staying.map((member) => edit(member.valueStart, member.valueEnd, '"changed"'))
          : [];

        const result = spliced(json, [...memberEdits(top, leaving, additions), ...values]);

        const source = Buffer.from(json);
        const before = staying.map((member) => [
          member.name,
          changed ? '"changed"' : valueText(source, member),
          changed ? "" : wholeText(source, member),
        ]);
        const members = topLevelOf(result).members;
        const after = members.map((member, index) => [
          member.name,
          valueText(Buffer.from(result), member),
          changed || index >= staying.length ? "" : wholeText(Buffer.from(result), member),
        ]);
        expect(after).toEqual([...before, ...added.map((name) => [name, '"new"', ""])]);
        if (leaving.length === 0 && added.length === 0 && !changed) expect(result).toBe(json);
      }),
      { numRuns: 500 },
    );
  });
});

function wholeText(bytes: Uint8Array, member: Member): string {
  return Buffer.from(bytes.subarray(member.keyStart, member.valueEnd)).toString();
}
