import { describe, expect, test } from "vitest";
import { EntityEngine } from "../../src/detectors/entity-engine.ts";
import type { EntityDetector } from "../../src/detectors/entity.ts";
import { redact } from "../../src/detectors/redact.ts";

const badge: EntityDetector = {
  id: "badge",
  entityType: "BADGE",
  label: "BADGE",
  category: "pii",
  description: "",
  keywords: ["bdg"],
  pattern: String.raw`\bBDG-(\d{4})\b`,
  group: 1,
  score: 0.9,
  positives: [],
  negatives: [],
};
const everything = { categories: new Set(["pii", "phi", "credential"] as const), threshold: null };

describe("EntityEngine", () => {
  test("finds the group's span in UTF-16 units", () => {
    const text = "é😀\ud800 BDG-1234 and BDG-5678";
    const matches = new EntityEngine([badge]).scan(text, everything);
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual(["1234", "5678"]);
    expect(redact(text, matches)).toBe("é😀\ud800 BDG-<BADGE> and BDG-<BADGE>");
  });
});
