import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeString } from "../../../src/json/string.ts";
import {
  cutJsonString,
  cutUtf8,
  decodedPieces,
  pieces,
  type Cut,
} from "../../../src/workers/segment/text-cut.ts";

const units = fc.constantFrom("a", "é", "漢", "😀", "\\", '"', "\n", "\u0001", "\\u0041", "\\\\");
const text = fc.array(units, { maxLength: 60 }).map((parts) => parts.join(""));

interface Encoding {
  readonly name: string;
  readonly cut: Cut;
  readonly encode: (text: string) => Buffer;
  readonly decode: (bytes: Buffer, from: number, until: number) => string;
}

const encodings: Encoding[] = [
  {
    name: "UTF-8",
    cut: cutUtf8,
    encode: (value) => Buffer.from(value),
    decode: (bytes, from, until) => bytes.toString("utf8", from, until),
  },
  {
    name: "the contents of a JSON string",
    cut: cutJsonString,
    encode: (value) => Buffer.from(JSON.stringify(value).slice(1, -1)),
    decode: decodeString,
  },
  {
    name: "the contents of a JSON string with everything escaped",
    cut: cutJsonString,
    encode: (value) =>
      Buffer.from(
        Array.from({ length: value.length }, (_, i) => {
          const hex = value.charCodeAt(i).toString(16).padStart(4, "0");
          return String.raw`\u${hex}`;
        }).join(""),
      ),
    decode: decodeString,
  },
];

describe.each(encodings)("a cut through $name", ({ cut, encode, decode }) => {
  it("splits no character, and takes the last place before the one asked for", () => {
    fc.assert(
      fc.property(text, fc.nat(), (value, seed) => {
        const bytes = encode(value);
        const at = bytes.length === 0 ? 0 : seed % bytes.length;
        const place = cut(bytes, 0, at);
        expect(place).toBeLessThanOrEqual(at);
        expect(at - place).toBeLessThan(12);
        const halves = [decode(bytes, 0, place), decode(bytes, place, bytes.length)];
        expect(Buffer.concat(halves.map((half) => Buffer.from(half)))).toEqual(Buffer.from(value));
      }),
    );
  });

  it("gives pieces that cover the text, overlap and are short enough", () => {
    fc.assert(
      fc.property(text, (value) => {
        const bytes = encode(value);
        const parts = [...pieces(bytes, 0, bytes.length, cut, 40, 12)];
        let covered = 0;
        for (const [index, [from, until]] of parts.entries()) {
          expect(until - from).toBeLessThanOrEqual(40);
          if (index > 0) expect(covered - from).toBeGreaterThanOrEqual(12);
          if (index === 0) expect(from).toBe(0);
          expect(value).toContain(decode(bytes, from, until));
          covered = until;
        }
        expect(covered).toBe(bytes.length);
      }),
    );
  });
});

describe("the pieces of what a JSON string says", () => {
  it.each(encodings.slice(1))("are those of the text: $name", ({ encode }) => {
    fc.assert(
      fc.property(text, (value) => {
        const utf8 = Buffer.from(value);
        const expected = [...pieces(utf8, 0, utf8.length, cutUtf8, 40, 12)].map(([from, until]) =>
          utf8.toString("utf8", from, until),
        );
        const json = encode(value);
        const found: string[] = [];
        for (const piece of decodedPieces(json, 0, json.length, 40, 12)) {
          found.push(Buffer.from(piece).toString());
        }
        expect(found).toEqual(expected);
      }),
    );
  });
});

describe("a cut through ill-formed UTF-8", () => {
  it("still moves on", () => {
    const bytes = Buffer.alloc(200, 0x80);
    expect([...pieces(bytes, 0, bytes.length, cutUtf8, 40, 12)].at(-1)?.[1]).toBe(200);
  });
});
