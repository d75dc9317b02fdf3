import RE2 from "re2";
import { describe, expect, it } from "vitest";
import { injectionPatterns } from "../../../src/detectors/injection/catalog.ts";

describe.each(injectionPatterns)("$id", ({ keywords, pattern, positives, negatives, score }) => {
  const re = new RE2(pattern.normalize("NFKC"), "iu");

  it.each(positives)("matches %j", (text) => {
    expect(re.test(text.normalize("NFKC"))).toBe(true);
  });

  it.each(positives)("finds a keyword in its match of %j", (text) => {
    const match = re.exec(text.normalize("NFKC"))?.[0]?.toLowerCase() ?? "";
    expect(keywords.filter((keyword) => match.includes(keyword.normalize("NFKC")))).not.toEqual([]);
  });

  it.each(negatives)("does not match %j", (text) => {
    expect(re.test(text.normalize("NFKC"))).toBe(false);
  });

  it("scores between 0 and 1, in tools no less than from users", () => {
    expect(score.user).toBeGreaterThan(0);
    expect(score.tool).toBeGreaterThanOrEqual(score.user);
    expect(score.tool).toBeLessThanOrEqual(1);
  });
});

describe("the catalog", () => {
  it("has unique ids", () => {
    const ids = injectionPatterns.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
