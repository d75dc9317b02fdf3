import { describe, expect, test, vi } from "vitest";
import { EntityEngine } from "../../../src/detectors/entity-engine.ts";
import type { EntityMatch } from "../../../src/detectors/entity.ts";
import type { NameFinder } from "../../../src/detectors/names/name-finder.ts";
import { EntityScan } from "../../../src/workers/report/entity-scan.ts";

const engine = new EntityEngine([]);
const person: EntityMatch = {
  detector: { entityType: "PERSON", label: "PERSON", category: "pii" },
  start: 0,
  end: 3,
  score: 0.7,
};

function finder(complete: boolean): NameFinder {
  return { version: "test", find: () => ({ matches: [person], complete }) };
}

test("a scan whose detectors ran out of time is degraded", () => {
  const slow = new EntityEngine([]);
  vi.spyOn(slow, "scanUntil").mockReturnValue({ matches: [person], complete: false });
  const scan = new EntityScan(slow, null, { entities: ["phi"], entityScoreThreshold: null });
  expect(scan.matches("Ada")).toEqual([person]);
  expect(scan.degraded).toBe(true);
});

describe("names in an entity scan", () => {
  test.each([
    ["found", finder(true), 0.6, [person], false],
    ["below the threshold", finder(true), 0.8, [], false],
    ["not looked for to the end", finder(false), null, [person], true],
    ["not to be had", null, null, [], true],
  ] as const)("%s", (_name, names, entityScoreThreshold, matches, degraded) => {
    const scan = new EntityScan(engine, names, { entities: ["pii"], entityScoreThreshold });
    expect(scan.matches("Ada")).toEqual(matches);
    expect(scan.degraded).toBe(degraded);
  });

  test("are not looked for where no personal data is wanted", () => {
    const scan = new EntityScan(engine, null, { entities: ["phi"], entityScoreThreshold: null });
    expect(scan.matches("Ada")).toEqual([]);
    expect(scan.degraded).toBe(false);
  });
});
