import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rememberedTextBytesMin } from "../../../src/contract/limits.ts";
import type { Segment } from "../../../src/contract/scan.ts";
import type { InjectionDetector } from "../../../src/detectors/injection/detector.ts";
import { TextMemory } from "../../../src/workers/detect/text-memory.ts";

/** Its score tells version, segment and text apart. */
function detectorOf(version: string): InjectionDetector & { calls: number } {
  const detector = {
    version,
    calls: 0,
    score(utf8: Buffer, segment: Segment): number {
      detector.calls++;
      const sum = utf8.reduce((total, byte) => (total * 31 + byte) % 997, version.length);
      return sum / 1000 + (segment === "tool" ? 0.001 : 0);
    },
  };
  return detector;
}

function cacheOf(entriesMax: number): TextMemory {
  return new TextMemory(randomBytes(32), entriesMax);
}

function long(text: string): Buffer {
  return Buffer.from(text.padEnd(rememberedTextBytesMin, "."));
}

describe("TextMemory", () => {
  it("changes no score, whatever came before and however little it holds", () => {
    const scan = fc.record({
      orgId: fc.constantFrom("a", "b", 'a","v'),
      version: fc.constantFrom("v", "v2"),
      segment: fc.constantFrom<Segment[]>("user", "tool"),
      text: fc.constantFrom("one", "two", "three", "four"),
    });
    fc.assert(
      fc.property(
        fc.array(scan, { maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
        (scans, max) => {
          const cache = cacheOf(max);
          for (const { orgId, version, segment, text } of scans) {
            const detector = detectorOf(version);
            const score = cache.over(detector, orgId).score(long(text), segment);
            expect(score).toBe(detector.score(long(text), segment));
            expect(cache.size).toBeLessThanOrEqual(max);
          }
        },
      ),
    );
  });

  it("forgets the least recently used", () => {
    const cache = cacheOf(2);
    const detector = detectorOf("v");
    const remembering = cache.over(detector, "org");
    const isKnown = (text: string): boolean => {
      const before = detector.calls;
      remembering.score(long(text), "user");
      return detector.calls === before;
    };
    expect(["a", "b", "b", "a", "c", "a", "b"].map(isKnown)).toEqual([
      ...[false, false, true, true, false, true, false],
    ]);
  });

  it("remembers nothing short and no failure", () => {
    const cache = cacheOf(10);
    const short = Buffer.alloc(rememberedTextBytesMin - 1);
    cache.over(detectorOf("v"), "org").score(short, "user");
    cache.over({ version: "v", score: () => Number.NaN }, "org").score(long("a"), "user");
    const throwing = cache.over({ version: "v", score: () => JSON.parse("") as number }, "org");
    expect(() => throwing.score(long("b"), "user")).toThrow();
    expect(cache.size).toBe(0);
  });

  it("tells where an owner's name ends and the text begins", () => {
    const memory = cacheOf(10);
    const rest = "x".repeat(rememberedTextBytesMin);
    expect(memory.recall("ab", Buffer.from(rest), () => 1)).toBe(1);
    expect(memory.recall("a", Buffer.from(`b${rest}`), () => 2)).toBe(2);
  });

  it("tells long texts apart by their last byte, and finds them again", () => {
    const detector = detectorOf("v");
    const remembering = cacheOf(10).over(detector, "org");
    const texts = ["a", "b"].map((last) => Buffer.from("x".repeat(100_000) + last));
    for (const text of [...texts, ...texts]) {
      expect(remembering.score(text, "user")).toBe(detectorOf("v").score(text, "user"));
    }
    expect(detector.calls).toBe(2);
  });

  it.each([rememberedTextBytesMin, 100_000])(
    "tells nobody what another organization sent, in %i bytes",
    (length) => {
      const detector = detectorOf("v");
      const cache = cacheOf(10);
      const text = Buffer.alloc(length, "x");
      for (const orgId of ["a", "b", "a", "b"]) cache.over(detector, orgId).score(text, "user");
      expect(detector.calls).toBe(2);
    },
  );

  it.each([10, rememberedTextBytesMin, 100_000])(
    "has keys that its secret alone makes, of %i bytes",
    (length) => {
      const secret = randomBytes(32);
      const text = Buffer.alloc(length, "x");
      const keyOf = (each: Uint8Array) => new TextMemory(each, 10).keyOf("owner", text);
      expect(keyOf(secret)).toEqual(keyOf(secret));
      expect(keyOf(randomBytes(32))).not.toEqual(keyOf(secret));
    },
  );

  it("reads shared memory", () => {
    const detector = detectorOf("v");
    const remembering = cacheOf(10).over(detector, "org");
    const text = long("text");
    const shared = Buffer.from(new SharedArrayBuffer(text.length));
    text.copy(shared);
    expect(remembering.score(shared, "user")).toBe(remembering.score(text, "user"));
    expect(detector.calls).toBe(1);
  });
});
