import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CustomPatternCache } from "../../../src/detectors/custom-pattern-cache.ts";
import { editText } from "../../../src/json/escaped-text.ts";
import { searchJson } from "../../../src/workers/policy/json-search.ts";
import { TextSearch } from "../../../src/workers/policy/text-search.ts";
import { anyPattern, anyText } from "../../detectors/patterns.ts";

const cache = new CustomPatternCache();

function searched(json: string, ...regexes: string[]): { text: string; findings: number } {
  const patterns = regexes.map((regex) => ({
    regex,
    action: "redact" as const,
    redactionToken: '"\\',
  }));
  const search = new TextSearch(
    { entities: [], patterns },
    {
      cache,
      entities: () => {
        throw new Error("no entities here");
      },
    },
  );
  const { findings, edits } = searchJson(json, search);
  return { text: editText(json, edits), findings: findings.length };
}

describe("a search in JSON text", () => {
  it.each<[name: string, json: string, regex: string, redacted: unknown, findings: number]>([
    ["a string", '{"a":"x PRJ-1 y"}', "PRJ-1", { a: 'x "\\ y' }, 1],
    ["an escaped string", String.raw`["\u0050RJ-1"]`, "PRJ-1", ['"\\'], 1],
    ["a key", '{"PRJ-1":0}', "PRJ-1", { '"\\': 0 }, 1],
    ["a number", "[12345,6]", "234", ['1"\\5', 6], 1],
    ["a match from a key to its value", '{"key": "abc"}', 'key": "ab', { '"\\': '"\\c' }, 1],
    ["a match that begins in an escape", String.raw`["\u0041bc"]`, "041b", ['"\\c'], 1],
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
