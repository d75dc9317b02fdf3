import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import type { EntityDetector } from "../../../src/detectors/entity.ts";
import { phiDetectors } from "../../../src/detectors/phi/catalog.ts";
import { piiDetectors } from "../../../src/detectors/pii/catalog.ts";

const anything = { categories: new Set(["pii", "phi"] as const), threshold: null };
const detectors = [...piiDetectors, ...phiDetectors];

/** The values that a detector finds alone. */
function valuesIn(engine: EntityEngine, text: string): string[] {
  return engine.scan(text, anything).map(({ start, end }) => text.slice(start, end));
}

/** The positive's text up to the end of its value. */
function upToValue([text, value]: EntityDetector["positives"][number]): string {
  return text.slice(0, text.indexOf(value) + value.length);
}

describe.each(detectors.map((detector) => [detector.id, detector] as const))(
  "%s",
  (_, detector) => {
    const engine = new EntityEngine([detector]);
    const positives = detector.positives.filter(([text, value]) =>
      // Where the word that tells it stands behind the value, cutting there takes it away.
      valuesIn(engine, upToValue([text, value])).includes(value),
    );

    test("ends a value where it ends, whatever punctuation follows", () => {
      for (const [text, value] of positives) {
        for (const after of [
          ".",
          ",",
          ";",
          "!",
          "?",
          ")",
          "]",
          "}",
          '"',
          "'",
          "\n",
          " ",
          "…",
          "\u00a0",
        ]) {
          expect(valuesIn(engine, upToValue([text, value]) + after)).toContain(value);
        }
      }
    });

    test("finds a value behind any characters, at its place", () => {
      const before = fc.string({ unit: "binary", maxLength: 40 });
      fc.assert(
        fc.property(fc.constantFrom(...detector.positives), before, ([text, value], noise) => {
          expect(valuesIn(engine, `${noise}\n\n${text}`)).toContain(value);
        }),
        { numRuns: 20 },
      );
    });

    test("scores no match above its own score by its shape alone", () => {
      for (const [, value] of detector.positives) {
        const verdict = detector.validate?.(value) ?? true;
        expect(typeof verdict === "number" ? verdict : 0).toBeLessThanOrEqual(detector.score);
      }
    });
  },
);
