import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  jsonDepthMax,
  jsonMemberNameBytesMax,
  jsonNumberBytesMax,
  jsonTopLevelMembersMax,
} from "../../src/contract/limits.ts";
import { JsonScanner } from "../../src/json/scanner.ts";
import {
  byteByByte,
  inMemory,
  scan,
  scanInChunks,
  topLevelOf,
  valueText,
  type Memory,
} from "./scanning.ts";

const accepted: readonly (readonly [title: string, json: string])[] = [
  ["an empty object", "{}"],
  ["an empty array", "[]"],
  ["space everywhere", ' \t\r\n{ \n"a"\t:\r[ 1 , 2 ] , "b" : { } } \n'],
  ["a string as root", '"a"'],
  ["an empty string", '""'],
  ["a number as root", "0"],
  ["a long number as root", "-12.5e+10"],
  ["true as root", "true"],
  ["false as root", "false"],
  ["null as root", "null"],
  ["minus zero", "[-0]"],
  ["zero with a fraction", "[0.0]"],
  ["zero with an exponent", "[0e1,0E+1,0e-01]"],
  ["exponents", "[1e1,1E2,1e+3,1e-4,1.5e006]"],
  ["a number no double can hold", "[1e999,-1e-999,123456789012345678901234567890]"],
  ["all short escapes", String.raw`["\"\\\/\b\f\n\r\t"]`],
  ["escapes of code units", String.raw`["\u0000\u00e9\u20AC\uD834\uDD1E"]`],
  ["a lone high surrogate, escaped", String.raw`["\uD800"]`],
  ["a lone low surrogate, escaped", String.raw`["\udc00\ud800"]`],
  ["an escaped backslash before the end", String.raw`["\\"]`],
  ["a delete character", '["\u007f"]'],
  ["line separators", '["\u2028\u2029"]'],
  ["a byte order mark in a string", '["\ufeff"]'],
  ["noncharacters", '["\uffff\u{10ffff}"]'],
  ["characters of each UTF-8 length", '["a\u00e9\u20ac\u{1d11e}"]'],
  ["duplicate keys", '{"a":1,"a":1}'],
  ["an empty key", '{"":0}'],
  ["an escaped key", String.raw`{"\u0061":0}`],
  ["a key like a prototype's", '{"__proto__":{"a":1}}'],
  ["nesting", '[[[{"a":[{"b":[]}]}]]]'],
  ["a string longer than a short run", `["${"x".repeat(1000)}"]`],
  ["escapes in a long string", `["${"x".repeat(300)}${String.raw`\"\\`.repeat(200)}"]`],
];

const refused: readonly (readonly [title: string, json: string | readonly number[]])[] = [
  ["nothing", ""],
  ["only space", " \n"],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
  ["UTF-16", [0x7b, 0x00, 0x7d, 0x00]],
  ["a NUL behind the value", "{}\0"],
  ["two values", "{}{}"],
  ["two values with a space", "1 2"],
  ["a comma behind the value", "{},"],
  ["a closing bracket too many", "[1]]"],
  ["a comment", "[1/*no*/]"],
  ["a trailing comment", "{}//"],
  ["a form feed as space", "[\f]"],
  ["a no-break space", "[\u00a0]"],
  ["a vertical tab as space", "[\v1]"],
  ["an unclosed object", '{"a":1'],
  ["an unclosed array", "[1"],
  ["an unclosed string", '["a'],
  ["a string closed by an escaped quote", String.raw`["a\"`],
  ["a string that ends in a backslash", '["\\'],
  ["an object closed as an array", '{"a":1]'],
  ["an array closed as an object", "[1}"],
  ["a closing bracket first", "]"],
  ["a trailing comma in an array", "[1,]"],
  ["a trailing comma in an object", '{"a":1,}'],
  ["a leading comma in an array", "[,1]"],
  ["a leading comma in an object", '{,"a":1}'],
  ["two commas", "[1,,2]"],
  ["no comma between items", "[1 2]"],
  ["no comma between members", '{"a":1 "b":2}'],
  ["no colon", '{"a" 1}'],
  ["two colons", '{"a"::1}'],
  ["a colon in an array", '["a":1]'],
  ["a colon as root", ":"],
  ["a comma for a colon", '{"a",1}'],
  ["no value", '{"a":}'],
  ["no value and no colon", '{"a"}'],
  ["a key that is no string", "{1:1}"],
  ["a key that is a literal", "{true:1}"],
  ["a key without quotes", "{a:1}"],
  ["a key in single quotes", "{'a':1}"],
  ["a key that is an array", "{[]:1}"],
  ["single quotes", "['a']"],
  ["a leading zero", "[01]"],
  ["a leading zero behind a minus", "[-01]"],
  ["two zeros", "[00]"],
  ["a plus sign", "[+1]"],
  ["only a minus", "[-]"],
  ["only a minus as root", "-"],
  ["two minuses", "[--1]"],
  ["a point first", "[.5]"],
  ["a point last", "[1.]"],
  ["a point last as root", "1."],
  ["a point before an exponent", "[1.e1]"],
  ["two points", "[1.2.3]"],
  ["an exponent without digits", "[1e]"],
  ["an exponent without digits as root", "1e"],
  ["an exponent with a sign only", "[1e+]"],
  ["an exponent with a fraction", "[1e1.5]"],
  ["two exponents", "[1e1e1]"],
  ["hexadecimal", "[0x1]"],
  ["digits of another script", "[\u0661]"],
  ["Infinity", "[Infinity]"],
  ["minus Infinity", "[-Infinity]"],
  ["NaN", "[NaN]"],
  ["undefined", "[undefined]"],
  ["capitals in a literal", "[True]"],
  ["a literal cut short", "[tru]"],
  ["a literal cut short as root", "nul"],
  ["a literal run on", "[truee]"],
  ["two literals in one", "[truefalse]"],
  ["an unknown escape", String.raw`["\a"]`],
  ["an escaped single quote", String.raw`["\'"]`],
  ["an escape in capitals", String.raw`["\U0041"]`],
  ["a hexadecimal escape of C", String.raw`["\x41"]`],
  ["an escape with too few digits", String.raw`["\u004"]`],
  ["an escape with no digits", String.raw`["\u"]`],
  ["an escape with a digit that is none", String.raw`["\u00g0"]`],
  ["an escape outside of a string", String.raw`[\n]`],
  ["an escaped control character", '["\\\n"]'],
  ["a tab in a string", '["\t"]'],
  ["a line feed in a string", '["a\nb"]'],
  ["a NUL in a string", '["a\0b"]'],
  ["the last control character in a string", '["\u001f"]'],
  ["a control character in a key", '{"a\u0001":1}'],
  ["a control character in a long string", `["${"x".repeat(500)}\u0007${"x".repeat(500)}"]`],
  ["UTF-8: a continuation byte alone", [0x22, 0x80, 0x22]],
  ["UTF-8: a lead byte alone", [0x22, 0xc3, 0x22]],
  ["UTF-8: a character cut by the end", [0x22, 0xe2, 0x82]],
  ["UTF-8: overlong slash, 2 bytes", [0x22, 0xc0, 0xaf, 0x22]],
  ["UTF-8: overlong quote, 2 bytes", [0x22, 0xc0, 0xa2, 0x22]],
  ["UTF-8: overlong, 3 bytes", [0x22, 0xe0, 0x80, 0xaf, 0x22]],
  ["UTF-8: overlong, 4 bytes", [0x22, 0xf0, 0x80, 0x80, 0xaf, 0x22]],
  ["UTF-8: a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ["UTF-8: above U+10FFFF", [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
  ["UTF-8: a byte that never stands", [0x22, 0xff, 0x22]],
  ["UTF-8: five bytes", [0x22, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x22]],
  ["UTF-8: Latin-1", [0x22, 0x63, 0x61, 0x66, 0xe9, 0x22]],
];

const ways: readonly (readonly [memory: Memory, cutsOf: (bytes: Uint8Array) => number[]])[] = [
  ["own", () => []],
  ["own", byteByByte],
  ["shared", () => []],
  ["shared", byteByByte],
];

describe("conformance", () => {
  test.each(accepted)("accepts %s", (_title, json) => {
    expect(() => void JSON.parse(json)).not.toThrow();
    for (const [memory, cutsOf] of ways) {
      const bytes = Buffer.from(json);
      expect(scanInChunks(bytes, cutsOf(bytes), memory)).not.toHaveProperty("reason");
    }
  });

  test.each(refused)("refuses %s", (_title, json) => {
    const bytes = Buffer.from(json as string);
    expect(parsed(bytes)).toBeUndefined();
    for (const [memory, cutsOf] of ways) {
      expect(scanInChunks(bytes, cutsOf(bytes), memory)).toHaveProperty("reason");
    }
  });
});

describe("faults", () => {
  test.each([
    ["", "no JSON value", 0],
    ["  ", "no JSON value", 2],
    ['{"a":', "unexpected end", 5],
    ['{"a":"x', "unexpected end", 7],
    ["{} x", "content after the JSON value", 3],
    ['{"a" 1}', "unexpected byte", 5],
    ["[tru]", "unexpected byte", 4],
    ["[1.]", "invalid number", 3],
    ['["a\\x"]', "invalid escape in a string", 4],
    ['["a\\u12x4"]', "invalid escape in a string", 7],
    ['["a\n"]', "control character in a string", 3],
    [`["${"x".repeat(997)}\u0001"]`, "control character in a string", 999],
  ])("%j: %s", (json, reason, offset) => {
    expect(scan(json)).toEqual({ reason, offset });
  });

  test.each([0, 1, 100, 1021, 1022, 1023, 1024, 5000])(
    "tells where %d characters in UTF-8 goes wrong",
    (plain) => {
      const bytes = Buffer.concat([
        Buffer.from(`["${"x".repeat(plain)}€`),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from(`${"y".repeat(3000)}"]`),
      ]);
      const fault = { reason: "not valid UTF-8", offset: 2 + plain + 3 };
      expect(scanInChunks(bytes, [], "own")).toEqual(fault);
      expect(scanInChunks(bytes, byteByByte(bytes), "shared")).toEqual(fault);
    },
  );
});

describe("bounds", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const members = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":{"a":1}`).join(",")}}`;

  test.each([
    ["nesting", nested, jsonDepthMax],
    ["nesting of objects", (n: number) => '{"a":'.repeat(n) + "1" + "}".repeat(n), jsonDepthMax],
    ["digits", (n: number) => `[${"1".repeat(n)}]`, jsonNumberBytesMax],
    ["digits of a root", (n: number) => "1".repeat(n), jsonNumberBytesMax],
    ["top-level members", members, jsonTopLevelMembersMax],
  ])("%s: the largest is accepted, one more is not", (_title, jsonOf, max) => {
    for (const [memory, cutsOf] of ways.slice(0, 2)) {
      const largest = Buffer.from(jsonOf(max));
      const tooLarge = Buffer.from(jsonOf(max + 1));
      expect(scanInChunks(largest, cutsOf(largest), memory)).not.toHaveProperty("reason");
      expect(scanInChunks(tooLarge, cutsOf(tooLarge), memory)).toHaveProperty("reason");
    }
  });

  it("does not count the members of inner objects, nor items", () => {
    const inner = members(jsonTopLevelMembersMax);
    const many = jsonTopLevelMembersMax * 2;
    expect(topLevelOf(`{"a":${inner},"b":${inner}}`).members).toHaveLength(2);
    expect(topLevelOf(`[${Array(many).fill(inner).join(",")}]`).members).toEqual([]);
  });

  it("abridges long keys so that they still compare", () => {
    const longest = "k".repeat(jsonMemberNameBytesMax);
    const names = (json: string) => topLevelOf(json).members.map((member) => member.name);
    expect(names(`{"${longest}":1}`)).toEqual([longest]);
    const [first = "", second = "", third] = names(
      `{"${longest}a":1,"${longest}a":2,"${longest}ab":3}`,
    );
    expect(first).toBe(second);
    expect(first).not.toBe(third);
    expect(first.length).toBeLessThan(2 * jsonMemberNameBytesMax);
    const escaped = (name: string) =>
      name.replace(/./gu, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
    expect(names(`{"${escaped("max_completion_tokens")}":1}`)).toEqual(["max_completion_tokens"]);
  });
});

describe("a buffer that moves", () => {
  it.each<Memory>(["own", "shared"])("is read where it is now (%s memory)", (kind) => {
    const arrived = Buffer.from(`["${"x".repeat(1000)}"]`);
    const before = inMemory(arrived, kind);
    arrived[700] = 0x1f;
    const after = inMemory(arrived, kind);
    const scanner = new JsonScanner();
    expect(scanner.grown(before, 400)).toBeUndefined();
    const fault = { reason: "control character in a string", offset: 700 };
    expect(scanner.grown(after, after.length)).toEqual(fault);
    expect(scanner.grown(before, before.length)).toEqual(fault);
    expect(scanner.finish(before, before.length)).toEqual(fault);
  });
});

describe("members", () => {
  it("says where each stands, duplicates included, and of what type it is", () => {
    const json = String.raw` { "m\u006fdel" : "a\"b" ,"n":-1.5e3, "model":[{"model":1}],"t":true,"f":false ,"z":null,"o":{"o":{}} } `;
    const { members, ...top } = topLevelOf(json);
    expect(top).toEqual({ root: "object", start: 1, end: json.length - 1 });
    expect(members.map((member) => [member.name, member.type])).toEqual([
      ["model", "string"],
      ["n", "number"],
      ["model", "array"],
      ["t", "true"],
      ["f", "false"],
      ["z", "null"],
      ["o", "object"],
    ]);
    expect(members.map((member) => valueText(Buffer.from(json), member))).toEqual([
      String.raw`"a\"b"`,
      "-1.5e3",
      '[{"model":1}]',
      "true",
      "false",
      "null",
      '{"o":{}}',
    ]);
    expect(members.map((member) => json.slice(member.keyStart, member.keyStart + 3))).toEqual([
      '"m\\',
      '"n"',
      '"mo',
      '"t"',
      '"f"',
      '"z"',
      '"o"',
    ]);
  });

  test.each(["[1]", '["a",{"b":1}]', '"a"', " 12 ", "true", "null"])("%s has none", (json) => {
    const { members, start, end } = topLevelOf(json);
    expect(members).toEqual([]);
    expect(json.slice(start, end)).toBe(json.trim());
  });
});

/** `JSON.parse` of strict UTF-8: undefined where either refuses. */
function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** JSON texts in many spellings: indented or not, escaped or not, short strings and long ones. */
const jsonText = fc
  .record({
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }),
      fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 })),
      fc.dictionary(
        fc.string({ maxLength: 3 }),
        fc
          .tuple(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 200 }))
          .map(([text, times]) => text.repeat(times)),
      ),
    ),
    indent: fc.constantFrom("", "  ", "\t", "\n\r "),
    escaping: fc.boolean(),
  })
  .map(({ value, indent, escaping }) => {
    const text = JSON.stringify(value, null, indent);
    return escaping ? text.replace(/[^\0-\x7f]/g, (unit) => escapedUnit(unit)) : text;
  });

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const memory = fc.constantFrom<Memory>("own", "shared");
const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });

function cutsAt(bytes: Uint8Array, at: readonly number[]): number[] {
  return at.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b);
}

/** Whatever the oracle says of these bytes, the scanner must say under any chunking. */
function agreesWithJsonParse(bytes: Uint8Array, cuts: readonly number[], kind: Memory): void {
  const expected = parsed(bytes);
  const scanned = scanInChunks(bytes, cuts, kind);
  if (expected === undefined) {
    expect(scanned).toHaveProperty("reason");
    return;
  }
  if ("reason" in scanned) throw new Error(`${scanned.reason} at ${scanned.offset}`);
  const { value } = expected;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const wanted: [string, unknown][] = isObject ? Object.entries(value) : [];
  const found = new Map(
    scanned.members.map(({ name, valueStart, valueEnd }) => [
      name,
      parsed(bytes.subarray(valueStart, valueEnd))?.value,
    ]),
  );
  deepStrictEqual(found, new Map(wanted));
  deepStrictEqual(parsed(bytes.subarray(scanned.start, scanned.end)), expected);
}

describe("properties", () => {
  it("agrees with JSON.parse on valid texts under any chunking", () => {
    fc.assert(
      fc.property(jsonText, fractions, memory, (text, at, kind) => {
        const bytes = Buffer.from(text);
        agreesWithJsonParse(bytes, cutsAt(bytes, at), kind);
      }),
      { numRuns: 400 },
    );
  });

  it("agrees with JSON.parse byte by byte", () => {
    fc.assert(
      fc.property(jsonText, memory, (text, kind) => {
        const bytes = Buffer.from(text).subarray(0, 2000);
        agreesWithJsonParse(bytes, byteByByte(bytes), kind);
      }),
      { numRuns: 100 },
    );
  });

  const mutation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 3 }),
    inserted: fc.oneof(
      fc.constantFrom(...['"', "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "u"]),
      fc.constantFrom(" ", "\n", "\0", "\u001f", "true", '"a":', "\\u12", "€", "1e5"),
    ),
    byte: fc.option(fc.nat({ max: 255 })),
  });

  it("agrees with JSON.parse on damaged texts", () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        fractions,
        memory,
        (text, mutations, at, kind) => {
          let bytes = Buffer.from(text);
          for (const { at: where, removed, inserted, byte } of mutations) {
            const start = Math.floor(where * bytes.length);
            const put = byte === null ? Buffer.from(inserted) : Buffer.from([byte]);
            bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)]);
          }
          agreesWithJsonParse(bytes, cutsAt(bytes, at), kind);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("agrees with JSON.parse on strings of JSON's own characters", () => {
    const token = fc.constantFrom(
      ...[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"a"',
        '"b"',
        "1",
        "-",
        "0",
        ".5",
        "e1",
        "true",
        "null",
        " ",
      ],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fractions, (tokens, at) => {
        const bytes = Buffer.from(tokens.join(""));
        agreesWithJsonParse(bytes, cutsAt(bytes, at), "own");
      }),
      { numRuns: 5000 },
    );
  });

  it("agrees with JSON.parse on long strings", () => {
    const piece = fc.oneof(
      fc.nat({ max: 600 }).map((length) => "x".repeat(length)),
      fc.constantFrom('\\"', "\\\\", "\\n", "\\u20ac", "€", '",\n"'),
      fc.constantFrom("\n", "\\x", "\\u12", '"'),
    );
    fc.assert(
      fc.property(fc.array(piece), fractions, memory, (pieces, at, kind) => {
        const bytes = Buffer.from(`["${pieces.join("")}"]`);
        agreesWithJsonParse(bytes, cutsAt(bytes, at), kind);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("every place", () => {
  it("is looked at for a control character", () => {
    for (let before = 0; before < 300; before++) {
      for (const misaligned of ["", " ", "  ", "   "]) {
        const head = `${misaligned}["${"x".repeat(before)}`;
        expect(scan(`${head}\u001f${"x".repeat(300 - before)}"]`)).toEqual({
          reason: "control character in a string",
          offset: head.length,
        });
      }
    }
  });

  it("takes as an escape what JSON.parse does", () => {
    for (let code = 0; code < 128; code++) {
      const bytes = Buffer.from(`["\\${String.fromCharCode(code)}0041"]`);
      agreesWithJsonParse(bytes, [], "own");
      agreesWithJsonParse(bytes, byteByByte(bytes), "own");
    }
  });

  it("takes as a hexadecimal digit what JSON.parse does", () => {
    for (let code = 0; code < 128; code++) {
      for (const position of [0, 1, 2, 3]) {
        // Spaces ahead, so that other bytes stand behind the cut.
        const bytes = Buffer.from(`${" ".repeat(code % 5)}["\\u0000"]`);
        bytes[bytes.length - 6 + position] = code;
        agreesWithJsonParse(bytes, [], "own");
        agreesWithJsonParse(bytes, byteByByte(bytes), "own");
      }
    }
  });
});
