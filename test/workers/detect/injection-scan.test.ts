import { describe, expect, it } from "vitest";
import type { Segment } from "../../../src/contract/scan.ts";
import type { InjectionDetector } from "../../../src/detectors/injection/detector.ts";
import { requestScore } from "../../../src/detectors/injection/request-score.ts";
import { InjectionScan } from "../../../src/workers/detect/injection-scan.ts";
import { Place } from "../../../src/workers/segment/place.ts";
import type { ScoredLeaf } from "../../../src/workers/segment/text-joiner.ts";

/** The score of a text is what it says. */
const detector: InjectionDetector = {
  version: "test",
  score: (utf8) => Number(utf8.toString()),
};

function leafOf(segment: Segment): ScoredLeaf {
  return { place: Place.source("request"), form: "string", segment, start: 0, end: 1 };
}

function scanned(texts: readonly (readonly [Segment, string])[]): InjectionScan {
  const scan = new InjectionScan(detector);
  for (const [segment, text] of texts) {
    const utf8 = Buffer.from(text);
    scan.add({ utf8, segment, spans: [{ leaf: leafOf(segment), from: 0, until: utf8.length }] });
  }
  return scan;
}

function times(count: number, segment: Segment, text: string): [Segment, string][] {
  return Array.from({ length: count }, () => [segment, text]);
}

describe("InjectionScan", () => {
  it.each<[string, (readonly [Segment, string])[], number]>([
    ["of no text", [], 0],
    ["of one text", [["user", "0.9"]], 0.9],
    ["of a short conversation", [...times(3, "user", "0.1"), ["user", "0.9"]], 0.9],
    ["of a long session", [["tool", "0.9"], ...times(99, "tool", "0.1")], requestScore(0.9, 100)],
    ["of a user among many tools' texts", [["user", "0.9"], ...times(99, "tool", "0.1")], 0.9],
  ])("is the score %s", (_name, texts, expected) => {
    expect(scanned(texts).score).toBe(expected);
  });

  it("names the leaf that decided: a user's before a tool's among a hundred", () => {
    const tools = times(99, "tool", "0.1");
    expect(scanned([["user", "0.85"], ["tool", "0.9"], ...tools]).worst?.segment).toBe("user");
    expect(
      scanned([
        ["user", "0.85"],
        ["tool", "0.99999"],
      ]).worst?.segment,
    ).toBe("tool");
    expect(scanned([["user", "0"]]).worst).toBeNull();
  });

  it("counts the pieces of one long leaf as one text", () => {
    const scan = new InjectionScan(detector);
    const leaf = leafOf("tool");
    for (const score of ["0.9", ...times(99, "tool", "0.1").map(([, text]) => text)]) {
      const utf8 = Buffer.from(score);
      scan.add({ utf8, segment: "tool", spans: [{ leaf, from: 0, until: utf8.length }] });
    }
    expect(scan.score).toBe(0.9);
  });

  it("has no score where one text has none", () => {
    const scan = scanned([
      ["user", "0.9"],
      ["tool", "NaN"],
    ]);
    expect(scan.score).toBeNull();
    expect(scan.worst).toBeNull();
  });
});
