import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EventSplit } from "../../../src/pipeline/policy/event-split.ts";
import { inChunks } from "./streamed-texts.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a stream is cut into its events", () => {
  it("however its bytes come, and later bytes change none of them", () => {
    const line = fc.constantFrom("data: a", ": b", "", "", "event: c");
    const end = fc.constantFrom("\n", "\r\n", "\r");
    const stream = fc
      .array(fc.tuple(line, end), { maxLength: 20 })
      .map((lines) => lines.map((parts) => parts.join("")).join(""));
    fc.assert(
      fc.property(
        stream.chain((text) => fc.tuple(fc.constant(text), inChunks(text))),
        ([text, chunks]) => {
          const whole = new EventSplit();
          const expected = (whole.push(Buffer.from(text)) ?? []).map(String);
          const split = new EventSplit();
          const events = chunks.flatMap((chunk) => split.push(chunk) ?? []);
          expect(events.map(String)).toEqual(expected);
          expect(String(split.rest())).toBe(String(whole.rest()));
        },
      ),
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
