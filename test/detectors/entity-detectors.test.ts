import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entityDetectors } from "../../src/detectors/catalog.ts";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import { entityScoreThresholdDefault, type EntityDetector } from "../../src/detectors/entity.ts";
import { PlannedPattern } from "../../src/detectors/search/planned-pattern.ts";
import { shapeOf } from "../../src/detectors/search/pattern-shape.ts";

const engine = new EntityEngine(entityDetectors);
const everything = { categories: new Set(["pii", "phi", "credential"] as const), threshold: null };

/** `TYPE value` of each finding. */
function findingsIn(text: string): string[] {
  return engine
    .scan(text, everything)
    .map(({ detector, start, end }) => `${detector.entityType} ${text.slice(start, end)}`);
}

/** What is wrong with a detector as a part of the catalog; nothing, it is hoped. */
function faultsOf(detector: EntityDetector): string[] {
  const { id, entityType, label, keywords, score, context, otherwise, pattern, group } = detector;
  const nearby = [...(context?.words ?? []), ...(otherwise ?? [])];
  const words = [...keywords, ...nearby];
  const scores = [score, context?.score ?? 0];
  return [
    !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) && `id ${id}`,
    !/^[A-Z0-9]+(_[A-Z0-9]+)*$/.test(entityType) && `entityType ${entityType}`,
    !/^[A-Z0-9]+(_[A-Z0-9]+)*$/.test(label) && `label ${label}`,
    !/^[A-Z].*\.$/.test(detector.description) && `description ${detector.description}`,
    words.some((word) => word === "" || word !== word.toLowerCase()) && "a word not in lower case",
    nearby.some((word) => !/[\p{L}$]/u.test(word)) && "a word without a letter",
    scores.some((one) => one < 0 || one > 1) && `scores ${scores.join(", ")}`,
    context && context.score < entityScoreThresholdDefault && "a context that changes nothing",
    shapeOf(pattern, group).bytesMax === 0 && "an empty match",
    detector.positives.length === 0 && "no positives",
    detector.negatives.length === 0 && "no negatives",
  ].filter((fault) => typeof fault === "string");
}

describe("the catalog of entities", () => {
  test("every id is there once", () => {
    const ids = entityDetectors.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("its keywords tell so few bytes apart that the automaton's table has 128 columns", () => {
    const spellings = entityDetectors
      .map((detector) => new PlannedPattern(detector))
      .flatMap(({ keywords, contextKeywords }) => [...keywords, ...contextKeywords])
      .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]);
    const folded = spellings.map((word) =>
      word.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    );
    expect(new Set(Buffer.from(folded.join(""))).size).toBeLessThan(128);
  });

  test("one entity type is in one category", () => {
    const categories = new Map<string, string>();
    for (const { entityType, category } of entityDetectors) {
      expect(`${entityType} ${category}`).toBe(
        `${entityType} ${categories.get(entityType) ?? category}`,
      );
      categories.set(entityType, category);
    }
  });
});

describe.each(entityDetectors.map((detector) => [detector.id, detector] as const))(
  "%s",
  (_, detector) => {
    test("is complete", () => {
      expect(faultsOf(detector)).toEqual([]);
    });

    test("finds its positives", () => {
      for (const [text, value] of detector.positives) {
        expect(findingsIn(text), text).toContain(`${detector.entityType} ${value}`);
      }
    });

    test("finds nothing in its negatives", () => {
      for (const text of detector.negatives) {
        const found = findingsIn(text).filter((one) => one.startsWith(`${detector.entityType} `));
        expect(found, text).toEqual([]);
      }
    });
  },
);

describe.each(
  entityDetectors
    .filter(({ keywordPlace }) => keywordPlace !== undefined)
    .map((detector) => [detector.id, detector] as const),
)("%s has its keywords where it says", (_, detector) => {
  const { keywordPlace, ...near } = detector;
  const placed = new EntityEngine([detector]);
  const unplaced = new EntityEngine([near]);
  const cuts = detector.positives.flatMap(([text, value]) => [text, value, value.slice(0, -1)]);
  const words = [...(detector.context?.words ?? []), ...detector.keywords.slice(0, 200)];
  const piece = fc.oneof(
    fc.constantFrom(...cuts, ...detector.negatives),
    fc.constantFrom(...words),
    fc.constantFrom(
      " ",
      "\n",
      "\t",
      "\r\n",
      "\u000b",
      "\u00a0",
      "a",
      "Z",
      "9",
      "_",
      '"',
      ".",
      "@",
      "é",
    ),
    fc.constantFrom("x".repeat(200), "- ".repeat(80), "7.".repeat(90)),
  );

  test(`which is: ${keywordPlace}`, () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.join("");
        const options = { ...everything, threshold: 0 };
        expect(placed.scan(text, options)).toEqual(unplaced.scan(text, options));
      }),
      { numRuns: 300 },
    );
  });
});
