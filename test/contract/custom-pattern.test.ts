import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { CustomPattern } from "../../src/contract/custom-pattern.ts";

const pattern = { name: "p", regex: "a+", direction: "both", action: "flag" };

describe("spec: Custom pattern object", () => {
  test.each<[rule: string, change: object, accepted: boolean]>([
    ["name of 1 character", { name: "x" }, true],
    ["name of 64 characters", { name: "x".repeat(64) }, true],
    ["64 characters of two units each", { name: "😀".repeat(64) }, true],
    ["name of 65 characters", { name: "x".repeat(65) }, false],
    ["an empty name", { name: "" }, false],
    ["no name", { name: undefined }, false],
    ["a name that is no string", { name: 1 }, false],
    ["regex of 512 characters", { regex: "x".repeat(512) }, true],
    ["regex of 513 characters", { regex: "x".repeat(513) }, false],
    ["an empty regex", { regex: "" }, false],
    ["no regex", { regex: undefined }, false],
    ["direction input", { direction: "input" }, true],
    ["direction output", { direction: "output" }, true],
    ["another direction", { direction: "in" }, false],
    ["no direction", { direction: undefined }, false],
    ["action redact", { action: "redact" }, true],
    ["action block", { action: "block" }, true],
    ["another action", { action: "allow" }, false],
    ["no action", { action: undefined }, false],
    ["redactionToken of 1 character", { redactionToken: "x" }, true],
    ["redactionToken of 64 characters", { redactionToken: "x".repeat(64) }, true],
    ["redactionToken of 65 characters", { redactionToken: "x".repeat(65) }, false],
    ["an empty redactionToken", { redactionToken: "" }, false],
  ])("%s: accepted %s", (_rule, change, accepted) => {
    // As it arrives: JSON has no undefined members.
    const value: unknown = JSON.parse(JSON.stringify({ ...pattern, ...change }));
    expect(Check(CustomPattern, value)).toBe(accepted);
  });
});
