import fc from "fast-check";
import RE2 from "re2";
import { describe, expect, it, vi } from "vitest";
import { PatternSet } from "../../../src/detectors/injection/pattern-set.ts";

const MiB = 1024 * 1024;
const words = ["alpha", "beta", "gamma", "a.b", "c|d", "(e", "über"];
const patterns = words.map((word) => ({
  keywords: [word],
  pattern: word.replace(/[.|(]/g, String.raw`\$&`),
}));

describe("PatternSet", () => {
  // The second set has no room for the keywords' automaton, so it must search every pattern.
  it.each([
    ["with keywords", MiB],
    ["without room for keywords", 1],
  ])("finds what each pattern finds alone, %s", (_name, memoryBytesMax) => {
    const set = new PatternSet(patterns, memoryBytesMax);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, "none", " ", "é")), (parts) => {
        const text = parts.join(" ");
        const expected = words.flatMap((word, index) => (text.includes(word) ? [index] : []));
        expect(set.search(Buffer.from(text))).toEqual(expected);
      }),
    );
  });

  it("is not fooled by an automaton that ran out of memory", () => {
    const set = new PatternSet(patterns, MiB);
    const text = Buffer.from("some beta text");
    // What google/re2 #136 looks like from here; no limit on memory brings it about reliably.
    vi.spyOn(RE2.Set.prototype, "match").mockReturnValueOnce([]);
    expect(set.search(text)).toEqual([1]);
  });

  it("refuses a pattern that RE2 does not accept", () => {
    expect(() => new PatternSet([{ keywords: ["a"], pattern: "(?=a)" }], MiB)).toThrow();
  });

  it("searches shared memory", () => {
    const text = Buffer.from("some beta text");
    const shared = Buffer.from(new SharedArrayBuffer(text.length));
    text.copy(shared);
    expect(new PatternSet(patterns, MiB).search(shared)).toEqual([1]);
  });
});
