import { describe, expect, it } from "vitest";
import { isTidy, wordShare } from "../../../src/detectors/credentials/words.ts";

describe("wordShare", () => {
  it.each([
    "userKeyNotFound",
    "applicationProperties",
    "correct-horse-battery-staple",
    "response.data.accessToken",
    "The quick brown fox",
  ])("%j reads like words", (text) => {
    expect(wordShare(text)).toBeGreaterThan(0.75);
  });

  it.each(["v7Tq2Lxk81cQn4Vt90Zp", "3f0c9a1e7b524d8e", "QXKJZVWPTHGFB", "0123456789"])(
    "%j does not",
    (text) => {
      expect(wordShare(text)).toBeLessThan(0.5);
    },
  );

  it("is 0 where there is nothing to judge", () => {
    expect(wordShare("")).toBe(0);
    expect(wordShare("-_-")).toBe(0);
  });
});

describe("isTidy", () => {
  it.each([
    ["rc-0.15.0_20231217-SNAPSHOT1", true],
    ["rc-0.15.0_20231217", true],
    ["my-service-prod-2", true],
    ["response.data.accessToken", true],
    ["ec2.us-east-1.host", true],
    ["2024-01-31T12:00:00", true],
    ["hmac-sha256-v2", true],
    ["OAuth2.0/OIDC", true],
    ["a8f5f167-44f4", false],
    ["v7Tq2Lxk81cQn4Vt90Zp", false],
  ])("%j: %s", (text, expected) => {
    expect(isTidy(text)).toBe(expected);
  });
});
