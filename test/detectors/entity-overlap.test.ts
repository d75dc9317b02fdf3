import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntityMatch } from "../../src/detectors/entity.ts";
import { withoutOverlaps } from "../../src/detectors/overlap.ts";
import { redact } from "../../src/detectors/redact.ts";

function match(
  entityType: string,
  start: number,
  end: number,
  score: number,
  category: EntityMatch["detector"]["category"] = "pii",
  label = entityType,
): EntityMatch {
  return { detector: { entityType, label, category }, start, end, score };
}

describe("withoutOverlaps", () => {
  test.each([
    ["the surer class before the longer", [match("A", 0, 9, 0.6), match("B", 3, 6, 0.8)], "B"],
    ["the longer before the higher score", [match("A", 0, 9, 0.8), match("B", 3, 6, 1)], "A"],
    [
      "the surer class before the category",
      [match("A", 0, 9, 0.8), match("B", 0, 9, 0.7, "credential")],
      "A",
    ],
    [
      "a credential before what is longer",
      [match("A", 0, 9, 0.7, "phi"), match("B", 3, 6, 0.6, "credential")],
      "B",
    ],
    ["the higher score", [match("A", 0, 9, 0.8), match("B", 0, 9, 0.9)], "B"],
    ["phi before pii", [match("A", 0, 9, 0.9), match("B", 0, 9, 0.9, "phi")], "B"],
    ["the name", [match("B", 0, 9, 0.9), match("A", 0, 9, 0.9)], "A"],
    ["the earlier", [match("A", 1, 3, 0.9), match("A", 0, 2, 0.9)], "A"],
    ["the same once", [match("A", 1, 3, 0.9), match("A", 1, 3, 0.9)], "A"],
    ["neighbours both stay", [match("B", 2, 4, 0.9), match("A", 0, 2, 0.5)], "A B"],
    [
      "what overlaps losers only stays",
      [match("A", 0, 4, 0.9), match("B", 3, 6, 0.8), match("C", 5, 8, 0.7)],
      "A C",
    ],
    [
      "what is sure before a longer place with a number",
      [match("LOCATION", 0, 20, 0.9), match("NO_BIRTH_NUMBER", 14, 26, 0.95)],
      "NO_BIRTH_NUMBER",
    ],
    [
      "a longer place where an address confirms it",
      [match("LOCATION", 0, 30, 0.9), match("STREET_ADDRESS", 0, 14, 0.85), match("B", 20, 30, 1)],
      "LOCATION",
    ],
    ["nothing", [], ""],
  ])("%s", (_, matches, expected) => {
    expect(
      withoutOverlaps(matches)
        .map(({ detector }) => detector.entityType)
        .join(" "),
    ).toBe(expected);
  });

  test("of two readings of one kind the label decides, not the order", () => {
    const [date, time] = ["DATE", "TIME"].map((label) => match("A", 0, 4, 0.9, "pii", label));
    if (date === undefined || time === undefined) throw new Error("two matches");
    expect(withoutOverlaps([time, date])).toEqual([date]);
    expect(withoutOverlaps([date, time])).toEqual([date]);
  });

  const anyMatch = fc
    .tuple(
      fc.constantFrom("A", "B", "C"),
      fc.nat(30),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0.3, 0.5, 0.7, 0.8, 1),
      fc.constantFrom("pii" as const, "phi" as const, "credential" as const),
      fc.constantFrom("DATE", "TIME"),
    )
    .map(([type, start, length, score, category, label]) =>
      match(type, start, start + length, score, category, label),
    );

  test("the order of the matches does not matter; none is left that overlaps another", () => {
    const shuffled = fc
      .array(anyMatch, { maxLength: 15 })
      .chain((matches) =>
        fc.tuple(fc.constant(matches), fc.shuffledSubarray(matches, { minLength: matches.length })),
      );
    fc.assert(
      fc.property(shuffled, ([matches, others]) => {
        const kept = withoutOverlaps(matches);
        expect(withoutOverlaps(others)).toEqual(kept);
        for (const [index, { start }] of kept.entries()) {
          expect(start).toBeGreaterThanOrEqual(kept[index - 1]?.end ?? 0);
        }
        for (const { start, end } of matches) {
          expect(kept.some((one) => one.start < end && start < one.end)).toBe(true);
        }
      }),
    );
  });
});

describe("redact", () => {
  test.each([
    ["a bc d", [match("X", 2, 4, 1)], "a <X> d"],
    ["abc", [match("X", 0, 1, 1), match("Y", 1, 3, 1)], "<X><Y>"],
    ["😀a", [match("X", 2, 3, 1)], "😀<X>"],
    ["abc", [], "abc"],
  ])("%j", (text, matches, expected) => {
    expect(redact(text, matches)).toBe(expected);
  });
});
