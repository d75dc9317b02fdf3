import { describe, expect, test } from "vitest";
import { CustomPatternCache } from "../../src/detectors/custom-pattern-cache.ts";
import { validateCustomPatterns } from "../../src/detectors/custom-pattern.ts";

const valid = { name: "Ticket", regex: String.raw`T-\d{4}`, direction: "both", action: "flag" };

function validated(...items: readonly unknown[]) {
  return validateCustomPatterns(items, new CustomPatternCache());
}

/** `field code` of each error. */
function errorsOf(...items: readonly unknown[]): string[] {
  const result = validated(...items);
  return result.ok ? [] : result.errors.map(({ field, code }) => `${field} ${code}`);
}

describe("spec: Custom pattern object", () => {
  test("a valid list comes back with the default token", () => {
    const other = { ...valid, name: "other", redactionToken: "<T>", unknown: 1 };
    expect(validated(valid, other)).toEqual({
      ok: true,
      patterns: [
        { ...valid, redactionToken: "[REDACTED]" },
        { ...valid, name: "other", redactionToken: "<T>" },
      ],
    });
  });

  test.each([
    ["no name", { ...valid, name: undefined }, ["name required"]],
    ["a name that is no string", { ...valid, name: 1 }, ["name invalid_type"]],
    ["null", { ...valid, name: null }, ["name invalid_type"]],
    ["an empty name", { ...valid, name: "" }, ["name too_short"]],
    ["a name of 64 characters", { ...valid, name: "😀".repeat(64) }, []],
    ["a name of 65 characters", { ...valid, name: "a".repeat(65) }, ["name too_long"]],
    ["no regex", { ...valid, regex: undefined }, ["regex required"]],
    ["an empty regex", { ...valid, regex: "" }, ["regex too_short"]],
    ["a regex of 512 characters", { ...valid, regex: "é".repeat(512) }, []],
    ["a regex of 513 characters", { ...valid, regex: "a".repeat(513) }, ["regex too_long"]],
    ["another direction", { ...valid, direction: "up" }, ["direction invalid_enum"]],
    ["no direction", { ...valid, direction: undefined }, ["direction required"]],
    ["another action", { ...valid, action: "Flag" }, ["action invalid_enum"]],
    ["an action that is no string", { ...valid, action: ["flag"] }, ["action invalid_type"]],
    ["an empty token", { ...valid, redactionToken: "" }, ["redactionToken too_short"]],
    [
      "a token of 65 characters",
      { ...valid, redactionToken: "x".repeat(65) },
      ["redactionToken too_long"],
    ],
    ["a token that is null", { ...valid, redactionToken: null }, ["redactionToken invalid_type"]],
    [
      "several faults",
      { regex: "(", action: "no" },
      ["name required", "regex regex_syntax", "direction required", "action invalid_enum"],
    ],
    ["no object", "T-1", ["custom_patterns invalid_type"]],
    ["a list", [], ["custom_patterns invalid_type"]],
    ["null as a pattern", null, ["custom_patterns invalid_type"]],
    [
      "inherited members",
      Object.create(valid),
      ["name required", "regex required", "direction required", "action required"],
    ],
  ])("%s", (_, item, errors) => {
    expect(errorsOf(item)).toEqual(errors);
  });

  test.each([["flag"], ["redact"], ["block"]])("action %s", (action) => {
    expect(errorsOf({ ...valid, action })).toEqual([]);
  });

  test.each([["input"], ["output"], ["both"]])("direction %s", (direction) => {
    expect(errorsOf({ ...valid, direction })).toEqual([]);
  });

  test.each([
    ["TICKET", "name duplicate_name"],
    ["ticket", "name duplicate_name"],
    ["Tickets", undefined],
    ["Ticket ", undefined],
  ])("the name %j after Ticket: %s", (name, error) => {
    expect(errorsOf(valid, { ...valid, name })[0]).toBe(error);
  });

  test("names beyond ASCII are compared in the same way", () => {
    expect(errorsOf({ ...valid, name: "É" }, { ...valid, name: "e\u0301" })).toHaveLength(1);
  });

  test("an error tells which pattern and which of its members", () => {
    const result = validated(valid, { ...valid, name: "B", regex: "a(?=b)" });
    expect(result).toMatchObject({
      ok: false,
      errors: [{ field: "regex", code: "regex_unsupported_feature", index: 1, patternName: "B" }],
      errorsTruncated: 0,
    });
    expect(result.ok ? "" : result.errors[0]?.message).toContain('"B"');
  });

  test("a pattern without a name is told by its number", () => {
    expect(validated(valid, 7)).toMatchObject({ errors: [{ index: 1, patternName: null }] });
  });

  test("an error does not repeat a name of any length", () => {
    const result = validated({ ...valid, name: "n".repeat(1_000_000) });
    expect(JSON.stringify(result).length).toBeLessThan(400);
  });
});

describe("spec: Scan limits, custom_patterns", () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...valid, name: `n${index}` }));

  test.each([
    [0, ["custom_patterns too_short"]],
    [1, []],
    [50, []],
    [51, ["custom_patterns too_many_patterns"]],
  ])("%d patterns", (count, errors) => {
    expect(errorsOf(...named(count))).toEqual(errors);
  });

  test.each([[undefined], [null], ["x"], [{ length: 1, 0: valid }]])("no list: %j", (list) => {
    expect(validateCustomPatterns(list, new CustomPatternCache())).toMatchObject({
      ok: false,
      errors: [{ field: "custom_patterns", code: "invalid_type" }],
    });
  });

  test.each([
    [9, 9, 0],
    [10, 10, 0],
    [13, 10, 3],
  ])("of %d errors the first %d are listed and %d counted", (count, listed, truncated) => {
    const result = validated(...named(count).map((one) => ({ ...one, regex: "(" })));
    if (result.ok) throw new Error("not refused");
    expect(result.errors.map(({ index }) => index)).toEqual([...Array(listed).keys()]);
    expect(result.errorsTruncated).toBe(truncated);
  });
});

describe("spec: RE2 syntax", () => {
  test.each([
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    String.raw`(a)\1`,
    String.raw`(?<n>a)\k<n>`,
    "(?P<n>a)(?P=n)",
    "(?>a)",
    "a++",
    "(a)?(?(1)b|c)",
    "(?R)",
    String.raw`\Ka`,
    String.raw`a\Z`,
  ])("%s is a feature that RE2 lacks", (regex) => {
    expect(errorsOf({ ...valid, regex })).toEqual(["regex regex_unsupported_feature"]);
  });

  test.each([
    "(",
    "a)",
    "[a",
    "*a",
    "a**",
    "a{1001}",
    "a{2,1}",
    "[z-a]",
    "\\",
    "(?i",
    String.raw`\y`,
    String.raw`\p{Nothing}`,
    "(?<n>a)(?<n>b)",
    String.raw`\pL{1,300}\PL{1,300}`,
    "/abc/",
    "/abc/gi",
    "/a\nb/",
  ])("%s is a fault", (regex) => {
    expect(errorsOf({ ...valid, regex })).toEqual(["regex regex_syntax"]);
  });

  test.each([
    "(?i)abc",
    "(?s-m:a.)",
    "(?P<n>a)(?<o>b)",
    String.raw`\p{Greek}\pN[[:alpha:]]\x{1F600}\z`,
    "[(?=]",
    String.raw`\(?=a`,
    String.raw`\/v1/`,
    "/etc/passwd",
    "",
  ])("%s", (regex) => {
    expect(errorsOf({ ...valid, regex })).toEqual(regex === "" ? ["regex too_short"] : []);
  });
});

describe("CustomPatternCache", () => {
  test("compiles a pattern once, and a faulty one too", () => {
    const cache = new CustomPatternCache(2);
    expect(cache.compile("a")).toBe(cache.compile("a"));
    expect(cache.compile("(")).toBe(cache.compile("("));
    expect(cache.size).toBe(2);
  });

  test("forgets what was used longest ago", () => {
    const cache = new CustomPatternCache(2);
    const a = cache.compile("a");
    const b = cache.compile("b");
    cache.compile("a");
    cache.compile("c");
    expect(cache.size).toBe(2);
    expect(cache.compile("a")).toBe(a);
    expect(cache.compile("b")).not.toBe(b);
  });
});
