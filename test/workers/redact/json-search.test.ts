import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { policyTimeMsMax } from "../../../src/contract/limits.ts";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { PatternsGaveUp } from "../../../src/detectors/pattern-steps.ts";
import { editText } from "../../../src/json/escaped-text.ts";
import { searchJson } from "../../../src/workers/redact/json-search.ts";
import { TextSearch } from "../../../src/workers/redact/text-search.ts";
import { anyPattern, anyText } from "../../detectors/patterns.ts";

const cache = new CustomPatternCache();

function searchFor(...regexes: string[]): TextSearch {
  const patterns = regexes.map((regex) => ({
    regex,
    action: "redact" as const,
    redactionToken: '"\\',
  }));
  return new TextSearch(
    { entities: [], patterns },
    {
      cache,
      entities: () => {
        throw new Error("no entities here");
      },
    },
  );
}

function searched(json: string, ...regexes: string[]): { text: string; findings: number } {
  const { findings, edits } = searchJson(json, searchFor(...regexes));
  return { text: editText(json, edits), findings: findings.length };
}

describe("a search in JSON text", () => {
  it.each<[name: string, json: string, regex: string, redacted: unknown, findings: number]>([
    ["a string", '{"a":"x PRJ-1 y"}', "PRJ-1", { a: 'x "\\ y' }, 1],
    ["an escaped string", String.raw`["\u0050RJ-1"]`, "PRJ-1", ['"\\'], 1],
    ["a key", '{"PRJ-1":0}', "PRJ-1", { '"\\': 0 }, 1],
    ["a number", "[12345,6]", "234", ['1"\\5', 6], 1],
    ["a match from a key to its value", '{"key": "abc"}', 'key": "ab', { '"\\': '"\\c' }, 1],
    ["how an escape is written", String.raw`["\u0041bc"]`, "041b", ["Abc"], 0],
    [
      "words behind escapes",
      String.raw`["x\nPRJ-1\tPRJ-2"]`,
      String.raw`\w*PRJ-\d`,
      ['x\n"\\\t"\\'],
      2,
    ],
    ["a word that an escape's letter would make", String.raw`["\nope"]`, "nope", ["\nope"], 0],
    [
      "an escape in a value that its key tells",
      String.raw`{"key": "a\u0062c"}`,
      'key": "abc',
      { '"\\': '"\\' },
      1,
    ],
    [
      "a quote in a value that its key tells",
      String.raw`{"key": "a\"c"}`,
      'key": "a.c',
      { '"\\': '"\\' },
      1,
    ],
    ["an anchored value", '["abc","xabc"]', "^abc$", ['"\\', "xabc"], 1],
    ["punctuation", '[{},["a"]]', String.raw`\{\},\[`, [{}, ["a"]], 0],
    ["names", "[true,null]", "true", [true, null], 0],
  ])("%s", (_name, json, regex, redacted, findings) => {
    const result = searched(json, regex);
    expect(JSON.parse(result.text)).toEqual(redacted);
    expect(result.findings).toBe(findings);
  });

  it("searches what is no JSON as text", () => {
    expect(searched("{'a': PRJ-1", "PRJ-1").text).toBe("{'a': \"\\");
  });

  it("finds each of forty thousand matches in one value once, in their places", () => {
    const csv = Array.from({ length: 40_000 }, (_, i) => `user${i}`).join("\n");
    // By a clock of this thread's own work, the bound is the same however loaded the machine is.
    vi.spyOn(performance, "now").mockImplementation(() => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    });
    try {
      const { text, findings } = searched(JSON.stringify({ csv }), "user[0-9]+");
      expect(findings).toBe(40_000);
      expect(JSON.parse(text)).toEqual({ csv: csv.replace(/.+/g, '"\\') });
    } finally {
      vi.restoreAllMocks();
    }
  });

  it("is given up past its time, however short each text is", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const search = searchFor();
      vi.advanceTimersByTime(policyTimeMsMax + 1);
      expect(() => searchJson('["a"]', search)).toThrow(PatternsGaveUp);
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves JSON, whatever the patterns match", () => {
    const leaf = fc.oneof(anyText, fc.integer(), fc.double(), fc.constantFrom(null, true));
    const value = fc.oneof(leaf, fc.array(leaf), fc.dictionary(anyText, leaf));
    fc.assert(
      fc.property(fc.array(value), anyPattern, anyPattern, (json, one, other) => {
        // Escapes as a model may write them.
        const spelled = JSON.stringify(json).replaceAll("b", "\\u0062");
        expect(() => JSON.parse(searched(spelled, one, other).text) as unknown).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
