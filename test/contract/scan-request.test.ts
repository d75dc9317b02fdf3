import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { ScanRequest } from "../../src/contract/scan-request.ts";
import { readScanRequest } from "../../src/contract/scan-request-reader.ts";

const pattern = { name: "p", regex: "a+", direction: "both", action: "flag" };
const patterns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...pattern, name: `p${index}` }));
const request = { model: "m", messages: [] };
const openai = { request, request_format: "openai" };

describe("accepted", () => {
  test.each<[rule: string, body: object]>([
    ["Scan target: a string", { input: "x" }],
    ["Scan target: a lone surrogate is text", { input: "\ud800" }],
    ["Scan target: one content part", { input: [{ type: "text", text: "x" }] }],
    ["Content part: the text may be empty", { input: [{ type: "text", text: "" }] }],
    ["Content part: segment", { input: [{ type: "text", text: "x", segment: "tool" }] }],
    ["Scan target: request and request_format", openai],
    ["Scan target: the messages format", { request, request_format: "anthropic" }],
    ["Scan target: the request is free-form", { request: { a: [1] }, request_format: "openai" }],
    ["Scan target: the request may be empty", { request: {}, request_format: "openai" }],
    ["Scan options: one category", { input: "x", categories: ["credential"] }],
    [
      "Scan options: all categories, any order",
      { input: "x", categories: ["phi", "credential", "prompt_injection", "pii"] },
    ],
    ["Scan options: segment user", { input: "x", segment: "user" }],
    ["Scan options: segment tool", { input: "x", segment: "tool" }],
    ["Scan options: segment beside a provider request", { ...openai, segment: "tool" }],
    ["Scan options: sensitivity strict", { input: "x", sensitivity: "strict" }],
    ["Scan options: sensitivity balanced", { input: "x", sensitivity: "balanced" }],
    ["Scan options: sensitivity permissive", { input: "x", sensitivity: "permissive" }],
    ["Scan options: threshold 0", { input: "x", entity_score_threshold: 0 }],
    ["Scan options: threshold 1", { input: "x", entity_score_threshold: 1 }],
    ["Scan options: store_input false", { input: "x", store_input: false }],
    ["Scan options: one pattern", { input: "x", custom_patterns: patterns(1) }],
    ["Scan options: fifty patterns", { ...openai, custom_patterns: patterns(50) }],
  ])("%s %o", (_rule, body) => {
    expect(readScanRequest(body)).toEqual({ ok: true, value: body });
    expect(Check(ScanRequest, body)).toBe(true);
  });
});

describe("refused, with the member at fault", () => {
  const one = { type: "text", text: "x" };
  test.each<[rule: string, body: unknown, message: RegExp]>([
    ["Scan target: neither", {}, /needs input, or request/],
    ["Scan target: options alone", { categories: ["pii"] }, /needs input, or request/],
    ["Scan target: both", { input: "x", ...openai }, /one target/],
    ["Scan target: input beside a request", { input: "x", request }, /one target/],
    ["Scan target: input beside a format", { input: "x", request_format: "openai" }, /one target/],
    ["Scan target: not an object", ["x"], /needs input, or request/],
    ["Scan target: null", null, /needs input, or request/],
    ["input: an empty string", { input: "" }, /^\/input must be a string or a list/],
    ["input: an empty list", { input: [] }, /^\/input must be a string or a list/],
    ["input: a number", { input: 5 }, /^\/input must be a string or a list/],
    ["input: null", { input: null }, /^\/input must be a string or a list/],
    ["input: an object", { input: one }, /^\/input must be a string or a list/],
    ["input: strings in a list", { input: [one, "x"] }, /^\/input\/1 must be an object/],
    ["Content part: no type", { input: [{ text: "x" }] }, /^\/input\/0\/type .* missing/],
    ["Content part: another type", { input: [{ ...one, type: "image" }] }, /^\/input\/0\/type /],
    ["Content part: no text", { input: [{ type: "text" }] }, /^\/input\/0\/text .* missing/],
    ["Content part: text null", { input: [{ ...one, text: null }] }, /^\/input\/0\/text /],
    ["Content part: segment", { input: [{ ...one, segment: "x" }] }, /^\/input\/0\/segment /],
    [
      "Content part: another property",
      { input: [one, { ...one, id: 1 }] },
      /^\/input\/1 .* no mem/,
    ],
    ["Direct input: another property", { input: "x", verbose: true }, /^The body .* no members/],
    ["Provider request: another property", { ...openai, verbose: true }, /^The body .* no members/],
    ["request: a string", { request: "{}", request_format: "openai" }, /^\/request must be an obj/],
    ["request: a list", { request: [], request_format: "openai" }, /^\/request must be an obj/],
    ["request: null", { request: null, request_format: "openai" }, /^\/request must be an obj/],
    ["request_format: missing", { request }, /^\/request_format .* missing/],
    ["request_format: without a request", { request_format: "openai" }, /^\/request .* missing/],
    ["request_format: unknown", { request, request_format: "x" }, /^\/request_format must be one/],
    ["request_format: upper case", { request, request_format: "OpenAI" }, /^\/request_format /],
    ["categories: none", { input: "x", categories: [] }, /^\/categories must be a list/],
    ["categories: a string", { input: "x", categories: "pii" }, /^\/categories must be a list/],
    ["categories: null", { input: "x", categories: null }, /^\/categories must be a list/],
    ["categories: unknown", { input: "x", categories: ["pii", "x"] }, /^\/categories\/1 must be/],
    ["categories: twice", { input: "x", categories: ["pii", "pii"] }, /^\/categories must be a li/],
    ["segment: unknown", { input: "x", segment: "system" }, /^\/segment must be one of/],
    ["sensitivity: unknown", { ...openai, sensitivity: "lax" }, /^\/sensitivity must be one of/],
    ["sensitivity: null", { input: "x", sensitivity: null }, /^\/sensitivity must be one of/],
    ["threshold: negative", { input: "x", entity_score_threshold: -0.01 }, /^\/entity_score_thres/],
    [
      "threshold: over 1",
      { input: "x", entity_score_threshold: 1.01 },
      /^\/entity_score_threshold/,
    ],
    ["threshold: a string", { input: "x", entity_score_threshold: "0.5" }, /^\/entity_score_thres/],
    ["store_input: a string", { input: "x", store_input: "false" }, /^\/store_input must be true/],
    ["store_input: a number", { input: "x", store_input: 0 }, /^\/store_input must be true/],
    ["custom_patterns: none", { input: "x", custom_patterns: [] }, /^\/custom_patterns must be a/],
    [
      "custom_patterns: 51",
      { input: "x", custom_patterns: patterns(51) },
      /^\/custom_patterns mus/,
    ],
    [
      "custom_patterns: one",
      { input: "x", custom_patterns: pattern },
      /^\/custom_patterns must be/,
    ],
    [
      "custom_patterns: one that is wrong",
      { input: "x", custom_patterns: [pattern, { ...pattern, action: "delete" }] },
      /^\/custom_patterns\/1\/action must be one of "flag", "redact", "block"/,
    ],
  ])("%s %o", (_rule, body, message) => {
    expect(readScanRequest(body)).toMatchObject({
      ok: false,
      refusal: { code: "invalid_request", message: expect.stringMatching(message) as unknown },
    });
    expect(Check(ScanRequest, body)).toBe(false);
  });

  test("a member named __proto__ is one more property", () => {
    const body: unknown = JSON.parse('{"input": "x", "__proto__": {}}');
    expect(readScanRequest(body).ok).toBe(false);
    expect(Check(ScanRequest, body)).toBe(false);
  });
});
