import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { ScanResponse } from "../../src/contract/scan-response.ts";
import { DetectionLocation, Location } from "../../src/contract/scan.ts";

const detection = {
  category: "pii",
  entity_type: "EMAIL_ADDRESS",
  label: "EMAIL",
  score: 0.9,
  start: 0,
  end: 5,
  location: { source: "input" },
};
const finding = {
  pattern_name: "p",
  action: "flag",
  redactionToken: "[REDACTED]",
  start: 0,
  end: 0,
  location: { source: "messages", index: 0, part: 1, inner_part: 0 },
};
const response = {
  scan_id: "scan_0f",
  sensitivity: "balanced",
  input_tokens: 2,
  billable_tokens: 1,
  scanned: {
    spans: [{ location: { source: "input" }, segment: "user", tokens: 1 }],
    unscanned: [{ location: { source: "request", path: ["messages", 0] }, tokens: 0 }],
  },
  injection: { verdict: "allow", score: 0.12, reason_code: "below_strict_threshold" },
  entities: { degraded: false },
  detections: [detection],
  redacted_text: "<EMAIL>",
  custom_pattern_findings: [finding],
  custom_pattern_scan: {
    patterns_evaluated: 1,
    truncated: true,
    truncated_patterns: ["p"],
    findings_capped: false,
  },
};

describe("spec: Scan response", () => {
  test.each<[rule: string, change: object, accepted: boolean]>([
    ["every field", {}, true],
    ["scan_id in upper case", { scan_id: "scan_0F" }, false],
    ["scan_id of a job", { scan_id: "scanjob_0f" }, false],
    ["negative tokens", { input_tokens: -1 }, false],
    ["half a token", { billable_tokens: 0.5 }, false],
    ["injection not requested", { injection: null }, true],
    [
      "a score that could not be computed",
      { injection: { verdict: "block", score: null, reason_code: "score_uncomputable" } },
      true,
    ],
    ["an action", { injection: { ...response.injection, action: "block" } }, false],
    ["another reason", { injection: { ...response.injection, reason_code: "x" } }, false],
    ["no entity category", { entities: null, detections: [], redacted_text: null }, true],
    [
      "injection among the detections",
      { detections: [{ ...detection, category: "prompt_injection" }] },
      false,
    ],
    ["a detection with its text", { detections: [{ ...detection, text: "x" }] }, false],
    [
      "a detection without its place",
      { detections: [{ ...detection, location: undefined }] },
      false,
    ],
    ["a score over 1", { detections: [{ ...detection, score: 1.1 }] }, false],
    [
      "redacted parts",
      { redacted_text: [{ type: "text", text: "<EMAIL>", segment: "tool" }] },
      true,
    ],
    ["a redacted request", { redacted_text: { messages: [] } }, true],
    ["a redacted number", { redacted_text: 1 }, false],
    ["no patterns", { custom_pattern_findings: [], custom_pattern_scan: null }, true],
    ["no list of findings", { custom_pattern_findings: null }, false],
    ["a summary without its count", { custom_pattern_scan: { truncated: false } }, false],
  ])("%s: accepted %s", (_rule, change, accepted) => {
    const value: unknown = JSON.parse(JSON.stringify({ ...response, ...change }));
    expect(Check(ScanResponse, value)).toBe(accepted);
  });
});

describe("spec: Location", () => {
  test.each<[location: object, accepted: boolean]>([
    [{ source: "input" }, true],
    [{ source: "input", index: 0 }, true],
    [{ source: "messages", index: 3 }, true],
    [{ source: "messages" }, false],
    [{ source: "messages", index: -1 }, false],
    [{ source: "system" }, true],
    [{ source: "tools" }, true],
    [{ source: "tools", index: 0 }, false],
    [{ source: "request", path: ["stop", 0] }, true],
    [{ source: "request" }, false],
    [{ source: "request", path: [true] }, false],
    [{ source: "body" }, false],
  ])("%o: %s", (location, accepted) => {
    expect(Check(Location, location)).toBe(accepted);
  });
});

describe("spec: DetectionLocation", () => {
  test.each<[location: object, accepted: boolean]>([
    [{ source: "system" }, true],
    [{ source: "tools", index: 1, path: ["function", "description"] }, true],
    [{ source: "messages", index: 1, part: 0, inner_part: 2, content_serialized: true }, true],
    [{ source: "messages", index: 1, content_serialized: false }, false],
    [{ source: "messages", index: 1, part: -1 }, false],
    [{ source: "messages", index: 1, offset: 4 }, false],
    [{ index: 1 }, false],
  ])("%o: %s", (location, accepted) => {
    expect(Check(DetectionLocation, location)).toBe(accepted);
  });
});
