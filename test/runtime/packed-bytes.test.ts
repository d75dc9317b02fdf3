import fc from "fast-check";
import { expect, test } from "vitest";
import { ByteReader, ByteWriter } from "../../src/runtime/packed-bytes.ts";

const values = fc.array(
  fc.oneof(
    fc.option(fc.double({ noNaN: true })),
    // Lone surrogates too, and texts that are longer than the memory at first.
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((u) => String.fromCharCode(u)) }),
    fc.string(),
    fc.string({ unit: fc.constantFrom("\u007f", "\u00ff", "\u0100", "\u01ff") }),
    fc.integer({ min: 0, max: 9_000 }).map((length) => "x".repeat(length)),
    fc.uint8Array(),
    fc.boolean(),
  ),
);

test("gives back what was written, in its order", () => {
  const writer = new ByteWriter();
  fc.assert(
    fc.property(values, (all) => {
      writer.clear();
      for (const value of all) {
        if (typeof value === "string") writer.text(value);
        else if (typeof value === "boolean") writer.byte(Number(value));
        else if (value instanceof Uint8Array) writer.packed(value);
        else writer.number(value);
      }
      writer.text(null);
      const reader = new ByteReader(writer.written);
      for (const value of all) {
        if (typeof value === "string") expect(reader.text()).toBe(value);
        else if (typeof value === "boolean") expect(reader.byte()).toBe(Number(value));
        else if (value instanceof Uint8Array)
          expect(new Uint8Array(reader.packed())).toEqual(value);
        else expect(reader.number()).toBe(value);
      }
      expect([reader.text(), reader.isAtEnd]).toEqual([null, true]);
    }),
  );
});

test("never reads behind its end", () => {
  const writer = new ByteWriter();
  writer.text("abc");
  const { written } = writer;
  for (let end = 0; end < written.length; end += 1) {
    expect(() => new ByteReader(Buffer.from(written.subarray(0, end))).text()).toThrow(RangeError);
  }
});
