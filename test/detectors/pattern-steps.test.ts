import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { PatternsGaveUp, PatternSteps, type StepMatch } from "../../src/detectors/pattern-steps.ts";
import { matchCharsMax } from "../../src/detectors/pattern-width.ts";
import { anyPattern, anyText, boundedPattern } from "./patterns.ts";

const cache = new CustomPatternCache();

function whole(patterns: readonly string[], text: string): readonly StepMatch[] {
  return new PatternSteps(patterns, cache).step(text, [], true, Infinity).matches;
}

/** The same text in pieces, which loses its beginning as soon as it may. */
function inSteps(patterns: readonly string[], pieces: readonly string[]): readonly StepMatch[] {
  const steps = new PatternSteps(patterns, cache);
  const matches: StepMatch[] = [];
  let text = "";
  let gone = 0;
  let from: readonly number[] = patterns.map(() => 0);
  for (const [index, piece] of [...pieces, ""].entries()) {
    text += piece;
    const step = steps.step(text, from, index === pieces.length, Infinity);
    for (const { pattern, start, end } of step.matches) {
      matches.push({ pattern, start: start + gone, end: end + gone });
    }
    const cut = Math.max(0, Math.min(...step.from) - 2);
    text = text.slice(cut);
    gone += cut;
    from = step.from.map((at) => at - cut);
  }
  return matches;
}

function sorted(matches: readonly StepMatch[]): readonly StepMatch[] {
  return matches.toSorted((a, b) => a.pattern - b.pattern || a.start - b.start);
}

const pieces = (text: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat(text.length), { maxLength: 12 }).map((cuts) => {
    const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
    return at.slice(1).map((end, i) => text.slice(at[i], end));
  });

describe("a search in steps", () => {
  it("finds in any pieces what it finds in the whole", () => {
    const cases = fc.record({
      patterns: fc.array(boundedPattern, { minLength: 1, maxLength: 3 }),
      split: anyText.chain(pieces),
    });
    fc.assert(
      fc.property(cases, ({ patterns, split }) => {
        // A character is not cut in two: the half of one is another text.
        const joined = split.join("");
        const steps = split.map((piece) => piece.toWellFormed());
        fc.pre(steps.join("") === joined);
        expect(sorted(inSteps(patterns, steps))).toEqual(sorted(whole(patterns, joined)));
      }),
      { numRuns: 500 },
    );
  });

  it("finds what JavaScript's own loop over RE2 finds", () => {
    fc.assert(
      fc.property(anyPattern, anyText, (pattern, any) => {
        // Over strings that are not ASCII re2 1.27 loses matches in matchAll.
        const text = any.replaceAll(/[^\n -~]/gu, "c");
        const compiled = cache.compile(pattern);
        if (!compiled.ok) throw new Error(pattern);
        // The cache's expression keeps its place from the last search, and matchAll goes on there.
        compiled.regex.lastIndex = 0;
        const expected = [...text.matchAll(compiled.regex)]
          .filter(({ 0: match }) => match !== "")
          .map(({ 0: match, index }) => ({ pattern: 0, start: index, end: index + match.length }));
        expect(whole([pattern], text)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["PRJ-[0-9]{1,3}", "see PRJ-1"],
    ["ab?c?", "xxa"],
    ["(?:foo){2}", "foofo"],
  ])("%s: holds back no more than a match could still need", (pattern, text) => {
    const [from] = new PatternSteps([pattern], cache).step(text, [0], false, Infinity).from;
    expect(text.length - (from ?? 0)).toBe(Math.min(text.length, matchCharsMax(pattern)));
  });

  it("a pair of surrogates that comes in two steps is one character, and no match of nothing", () => {
    const steps = new PatternSteps(["$*"], cache);
    const { from } = steps.step("a\ud83d", [0], false, Infinity);
    expect(steps.step("a\ud83d\ude00", from, true, Infinity).matches).toEqual([]);
  });

  it("sees a long text in windows, and the match that a window would cut", () => {
    const long = "x".repeat(40_000);
    const text = `${long}PRJ-123${long}PRJ-4`;
    expect(whole(["PRJ-[0-9]{1,3}"], text).map(({ start }) => start)).toEqual([40_000, 80_007]);
  });

  it.each([
    ["a pattern without a bound over too long a text", ["a+"], "a".repeat(1_048_577), Infinity],
    ["too many matches", ["a"], "a".repeat(60_000), Infinity],
    ["a deadline that is over", ["a"], "a", 0],
  ])("gives up on %s", (_name, patterns, text, deadline) => {
    const search = (): unknown => new PatternSteps(patterns, cache).step(text, [], true, deadline);
    expect(search).toThrow(PatternsGaveUp);
  });
});
