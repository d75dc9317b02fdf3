import { describe, expect, test } from "vitest";
import { parseModelName } from "../../src/demo-provider/parameters.ts";

const unset = { tokens: null, tokenBytes: null, delayMs: 0, headersDelayMs: 0 };

describe("parseModelName", () => {
  test.each([
    ["echo", "echo", unset],
    ["echo?", "echo", unset],
    ["echo?tokens=100", "echo", { ...unset, tokens: 100 }],
    ["echo?tokens=0", "echo", { ...unset, tokens: 0 }],
    [
      "fault-cut?tokens=9&delay_ms=10&token_bytes=4&headers_delay_ms=5",
      "fault-cut",
      { tokens: 9, tokenBytes: 4, delayMs: 10, headersDelayMs: 5 },
    ],
  ])("%s", (name, model, parameters) => {
    expect(parseModelName(name)).toEqual({ ok: true, value: { model, parameters } });
  });

  test.each([
    "echo?size=1",
    "echo?tokens=",
    "echo?tokens=-1",
    "echo?tokens=1.5",
    "echo?tokens=10000001",
    "echo?tokens=9999999999999999999999",
    "echo?token_bytes=0",
    "echo?token_bytes=65537",
    "echo?delay_ms=600001",
    "echo?tokens=1&tokens=x",
    "echo?constructor=1",
  ])("refuses %s", (name) => {
    const parsed = parseModelName(name);
    expect(parsed.ok ? parsed : parsed.error.kind).toBe("invalid_request");
  });
});
