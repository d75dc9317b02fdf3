import fc from "fast-check";
import { performance } from "node:perf_hooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  customPatternFindingsMax,
  customPatternMatchBytesMax,
  customPatternMatchesMax,
  customPatternWindowBytes,
} from "../../src/contract/limits.ts";
import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { CustomPatternSearch } from "../../src/detectors/custom-pattern-scan.ts";
import type { ValidCustomPattern } from "../../src/detectors/custom-pattern.ts";

const cache = new CustomPatternCache();

function patternsOf(...regexes: readonly string[]): ValidCustomPattern[] {
  return regexes.map((regex, index) => ({
    name: `p${index}`,
    regex,
    direction: "both",
    action: "flag",
    redactionToken: "[REDACTED]",
  }));
}

function scanFor(...regexes: readonly string[]): CustomPatternSearch {
  return new CustomPatternSearch(patternsOf(...regexes), cache, Infinity);
}

function valuesIn(text: string, ...regexes: readonly string[]): string[] {
  const found = scanFor(...regexes).scan(text) ?? [];
  return found.map(({ start, end }) => text.slice(start, end));
}

afterEach(() => vi.restoreAllMocks());

describe("CustomPatternScan", () => {
  test.each([
    ["in order, whatever the pattern", "b1 a2 b3", ["a.", "b."], ["b1", "a2", "b3"]],
    ["of patterns that overlap", "abc", ["abc", "b"], ["abc", "b"]],
    ["of one pattern twice", "ab", ["a", "a"], ["a", "a"]],
    ["that are not empty", "xaxaa", ["a*"], ["a", "aa"]],
    ["of a pattern that is empty everywhere", "é😀x", ["()|\\b"], []],
    ["at the text's beginning only", "aa a", ["^a"], ["a"]],
    ["at the text's end only", "a aa", ["a$"], ["a"]],
    ["at every line's beginning", "ab\nac\nda", ["(?m)^a."], ["ab", "ac"]],
    ["beside a boundary", "cat concat", [String.raw`\bcat`], ["cat"]],
    ["whole, where a byte of them matches", "é", [String.raw`\C`], ["é"]],
    ["with a lone surrogate", "a\ud800b", ["a.b"], ["a\ud800b"]],
    ["in nothing", "", ["a", "^$"], []],
  ])("finds values %s", (_, text, regexes, expected) => {
    expect(valuesIn(text, ...regexes)).toEqual(expected);
  });

  const unit = fc.constantFrom(
    "a",
    "b",
    "é",
    "😀",
    "👩‍👧",
    "e\u0301",
    "\ud83d",
    "\ude00",
    "א",
    "\0",
    "\r\n",
    " ",
  );
  test.each([["a+b?"], [String.raw`[^a ]{1,3}`], [String.raw`\ba|b\b`], ["(?:|a)b"]])(
    "%s: finds what RegExp finds in any text",
    (regex) => {
      const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(""));
      fc.assert(
        fc.property(text, (whole) => {
          // RE2 sees a lone surrogate as U+FFFD, which no pattern here tells from one.
          const expected = [...whole.matchAll(new RegExp(regex, "gu"))].map(([value]) => value);
          expect(valuesIn(whole, regex)).toEqual(expected.filter(Boolean));
        }),
      );
    },
  );

  test("finds what lies across the borders of windows", () => {
    for (const shift of [-9, -5, -3, -1, 0, 1, 4]) {
      for (const border of [
        customPatternWindowBytes - customPatternMatchBytesMax,
        customPatternWindowBytes,
      ]) {
        const text = `${"-".repeat(border + shift)}start middle end${"-".repeat(20_000)}`;
        expect(valuesIn(text, String.raw`start \w+ end\b`, "^start", "end$")).toEqual([
          "start middle end",
        ]);
      }
    }
  });

  test("finds a match as long as windows overlap anywhere", () => {
    for (const before of [0, 9_000, 12_287, 12_300, 14_000]) {
      const value = `<${"x".repeat(customPatternMatchBytesMax - 2)}>`;
      expect(valuesIn("-".repeat(before) + value + "-".repeat(9_000), "<x*>")).toEqual([value]);
    }
  });

  test("of a match longer than a window, finds pieces without a gap", () => {
    const text = "x".repeat(3 * customPatternWindowBytes);
    expect(valuesIn(text, "x+").join("")).toBe(text);
  });

  test("`^` does not match where a window begins, `$` not where it ends", () => {
    const text = "x".repeat(5 * customPatternWindowBytes);
    expect(valuesIn(text, "^x", "x$", String.raw`\Ax`, String.raw`x\z`)).toHaveLength(4);
  });
});

describe("spec: Scan limits, custom patterns", () => {
  test.each([
    [customPatternMatchesMax, false],
    [customPatternMatchesMax + 1, true],
  ])("%d matches of a pattern in a part: truncated %s", (matches, truncated) => {
    const scan = scanFor("a", "b");
    expect(scan.scan(`${"a".repeat(matches)}b`)).toHaveLength(customPatternMatchesMax + 1);
    expect(scan.summary).toEqual({
      patterns_evaluated: 2,
      truncated,
      truncated_patterns: truncated ? ["p0"] : [],
      findings_capped: false,
    });
  });

  test("the bound of matches holds for each part; a pattern is named once", () => {
    const scan = scanFor("a");
    const part = "a".repeat(customPatternMatchesMax + 5);
    expect(scan.scan(part)).toHaveLength(customPatternMatchesMax);
    expect(scan.scan(part)).toHaveLength(customPatternMatchesMax);
    expect(scan.summary.truncated_patterns).toEqual(["p0"]);
  });

  test("the findings of a scan end at their bound, and later parts are not scanned", () => {
    const scan = scanFor("a", "b");
    const part = `${"a".repeat(900)}${"b".repeat(900)}`;
    expect(scan.scan(part)).toHaveLength(1_800);
    expect(scan.scan(part)).toHaveLength(1_800);
    expect(scan.summary.findings_capped).toBe(false);
    expect(scan.scan(part)).toHaveLength(customPatternFindingsMax - 3_600);
    expect(scan.summary.findings_capped).toBe(true);
    expect(scan.scan(part)).toEqual([]);
  });

  test("a pattern that was never searched for was not evaluated", () => {
    const scan = scanFor("a", "a", "a", "a", "a", "b");
    expect(scan.summary.patterns_evaluated).toBe(0);
    expect(scan.scan("a".repeat(customPatternMatchesMax))).toHaveLength(customPatternFindingsMax);
    expect(scan.summary).toMatchObject({ patterns_evaluated: 5, findings_capped: true });
  });
});

describe("design section 8, re2", () => {
  test("no call of RE2 sees more than a window", () => {
    const compiled = cache.compile("x[ab]{0,50}y");
    if (!compiled.ok) throw new Error("not compiled");
    const exec = vi.spyOn(compiled.regex, "exec");
    scanFor("x[ab]{0,50}y").scan("ab".repeat(50_000));
    const lengths = exec.mock.calls.map(([text]) =>
      ArrayBuffer.isView(text) ? text.byteLength : NaN,
    );
    const longest = Math.max(...lengths);
    expect(exec.mock.calls.length).toBeGreaterThan(5);
    expect(longest).toBeLessThanOrEqual(customPatternWindowBytes);
  });

  test("time is checked before every call, and a scan that is out of it has no result", () => {
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 1));
    const text = "-".repeat(100_000);
    expect(new CustomPatternSearch(patternsOf("x"), cache, 1_000).scan(text)).toEqual([]);
    expect(new CustomPatternSearch(patternsOf("x"), cache, 5).scan(text)).toBeNull();
    // A match of nothing at each place is a call each.
    expect(new CustomPatternSearch(patternsOf("x*"), cache, 1_000).scan(text)).toBeNull();
  });
});
