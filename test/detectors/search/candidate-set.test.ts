import { performance } from "node:perf_hooks";
import RE2 from "re2";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CandidateSet } from "../../../src/detectors/search/candidate-set.ts";

const MiB = 1024 * 1024;

afterEach(() => vi.restoreAllMocks());

describe("CandidateSet", () => {
  test("names the patterns that match", () => {
    const set = new CandidateSet(["a+", String.raw`\d{3}`, "(?i:XYZ)", "q"], MiB);
    expect(set.of(Buffer.from("123 xyz"))).toEqual([1, 2]);
    expect(set.of(Buffer.from(""))).toEqual([]);
  });

  test("a set that does not compile makes every pattern a candidate", () => {
    expect(new CandidateSet(["[a-z]{900}", "b"], 64).of(Buffer.from("c"))).toEqual([0, 1]);
  });

  test("a set that ran out of memory, and so says nothing, makes every pattern a candidate", () => {
    const set = new CandidateSet(["a", "b"], MiB);
    // What google/re2 #136 looks like from here; no limit on memory brings it about reliably.
    vi.spyOn(RE2.Set.prototype, "match").mockReturnValueOnce([]);
    expect(set.of(Buffer.from("a"))).toEqual([0, 1]);
    expect(set.of(Buffer.from("a"))).toEqual([0]);
  });

  test("a set that stays slow makes every pattern a candidate until the next text", () => {
    const set = new CandidateSet(["a", "b"], MiB);
    let nowMs = 0;
    let msPerCall = 10;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += msPerCall));
    const text = Buffer.from("a".repeat(40 * 1024));
    // The first stretch warms the automaton up.
    expect(set.of(text)).toEqual([0]);
    expect(set.of(text)).toEqual([0]);
    expect(set.of(text)).toEqual([0, 1]);
    set.reset();
    expect(set.of(text)).toEqual([0]);
    msPerCall = 1;
    for (let calls = 0; calls < 5; calls += 1) expect(set.of(text)).toEqual([0]);
  });

  test("without patterns there are no candidates", () => {
    expect(new CandidateSet([], MiB).of(Buffer.from("text"))).toEqual([]);
  });
});
