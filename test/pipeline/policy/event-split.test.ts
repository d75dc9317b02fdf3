import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EventSplit } from "../../../src/pipeline/policy/event-split.ts";
import { payloadOf } from "../../../src/sse/event-fields.ts";
import { inChunks } from "./streamed-texts.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a stream is cut into its events", () => {
  const line = fc.constantFrom("data: a", ": b", "", "", "event: c");
  const streamOf = (end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(line, end), { maxLength: 20 })
      .map((lines) => lines.map((parts) => parts.join("")).join(""));
  const cut = (text: string): fc.Arbitrary<readonly [string, readonly Buffer[]]> =>
    fc.tuple(fc.constant(text), inChunks(text));

  it.each(["\n", "\r\n", "\r"])("however its bytes come: lines end with %j", (end) => {
    fc.assert(
      fc.property(streamOf(fc.constant(end)).chain(cut), ([text, chunks]) => {
        const whole = new EventSplit();
        const expected = (whole.push(Buffer.from(text)) ?? []).map(String);
        const split = new EventSplit();
        const events = chunks.flatMap((chunk) => split.push(chunk) ?? []);
        expect(events.map(String)).toEqual(expected);
        expect(String(split.rest())).toBe(String(whole.rest()));
      }),
      { numRuns: 1_000 },
    );
  });

  // A LF that comes late behind its CR stands at the head of the next event.
  it("whose payloads and bytes are the same, whatever ends its lines", () => {
    fc.assert(
      fc.property(streamOf(fc.constantFrom("\n", "\r\n", "\r")).chain(cut), ([text, chunks]) => {
        const whole = new EventSplit();
        const expected = (whole.push(Buffer.from(text)) ?? []).map((event) => payloadOf(event));
        const split = new EventSplit();
        const events = chunks.flatMap((chunk) => split.push(chunk) ?? []);
        expect(events.map((event) => payloadOf(event))).toEqual(expected);
        expect(events.map(String).join("") + String(split.rest())).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("with memory for a few times its bytes, however small its chunks", () => {
    const allocated: number[] = [];
    const allocUnsafe = Buffer.allocUnsafe.bind(Buffer);
    vi.spyOn(Buffer, "allocUnsafe").mockImplementation((size) => {
      allocated.push(size);
      return allocUnsafe(size);
    });
    const split = new EventSplit();
    const bytes = Buffer.from(`data: ${"x".repeat(10_000)}\n\n`);
    const events: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      events.push(...(split.push(bytes.subarray(at, at + 1)) ?? []).map(String));
    }
    expect(events).toEqual([bytes.toString()]);
    expect(allocated.reduce((sum, size) => sum + size, 0)).toBeLessThan(6 * bytes.length);
  });
});
