import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportListBytesMax } from "../../../src/contract/limits.ts";
import type { ScanResponse } from "../../../src/contract/scan-response.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { scan } from "../../endpoints/scan/scan-client.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(async () => {
  await gateway.stop();
});

const email = "ada@example.org";
const key = "k".repeat(100_000);

function bytesOf(list: unknown): number {
  return Buffer.byteLength(JSON.stringify(list));
}

function spanTokens({ scanned }: ScanResponse): number {
  return scanned.spans.reduce((sum, { tokens }) => sum + tokens, 0);
}

async function scanRequest(request: object, options: object): Promise<ScanResponse> {
  return scan(gateway, { request, request_format: "openai", ...options });
}

describe("a report does not grow with the length of a key times what is below it", () => {
  test.each([
    ["findings in one text", { [key]: `${email} `.repeat(100) }],
    ["a finding in each of many texts", { [key]: Array(100).fill(email) }],
    ["below two keys", { [key]: { [key]: Array(100).fill(email) } }],
  ])("entities: %s", async (_name, request) => {
    const found = await scanRequest(request, { categories: ["pii"] });
    expect(bytesOf(found.detections)).toBeLessThanOrEqual(reportListBytesMax);
    expect(found.detections.length).toBeGreaterThan(10);
    // What is not listed is told, and redacted all the same.
    expect(found.entities).toEqual({ degraded: true });
    expect(JSON.stringify(found.redacted_text)).not.toContain(email);
  });

  test("custom patterns stop, and what they have not searched is not billed", async () => {
    const request = { [key]: ["a ".repeat(1_000), "b", "not searched at all"] };
    const custom_patterns = [{ name: "a", regex: "a", direction: "both", action: "flag" }];
    const found = await scanRequest(request, { custom_patterns });
    expect(bytesOf(found.custom_pattern_findings)).toBeLessThanOrEqual(reportListBytesMax);
    expect(found.custom_pattern_findings.length).toBeGreaterThan(10);
    expect(found.custom_pattern_scan).toMatchObject({ findings_capped: true });
    expect(found.scanned.spans).toMatchObject([{ location: { path: [key, 0] } }]);
    expect(found.billable_tokens).toBe(spanTokens(found));
  });

  test("rows: the whole request is the row of what has none of its own", async () => {
    const words = Array.from({ length: 1_000 }, (_, i) => `word ${i}`);
    const found = await scanRequest({ [key]: words }, {});
    expect(bytesOf(found.scanned)).toBeLessThan(2 * reportListBytesMax);
    expect(found.scanned.spans.length).toBeGreaterThan(10);
    expect(found.scanned.spans.map(({ location }) => location)).toContainEqual({
      source: "request",
      path: [],
    });
    expect(found.billable_tokens).toBe(spanTokens(found));
    const short = await scanRequest({ k: words }, {});
    // The name is a text too: nobody knows the member.
    expect(short.scanned.spans).toHaveLength(1_001);
    expect(found.billable_tokens).toBeGreaterThan(short.billable_tokens);
  });
});

test("findings are listed until the list is full, in the order of the text", async () => {
  const name = "k".repeat(1_000);
  const found = await scanRequest({ [name]: "a@b.co ".repeat(5_000) }, { categories: ["pii"] });
  expect(bytesOf(found.detections)).toBeLessThanOrEqual(reportListBytesMax);
  expect(found.detections.map(({ start }) => start)).toEqual(
    found.detections.map((_one, index) => index * 7),
  );
  expect(found.entities).toEqual({ degraded: true });
  expect(found.redacted_text).toEqual({ [name]: "<EMAIL> ".repeat(5_000) });
});

test("parts that custom patterns did not search are unscanned, unless another detector saw them", async () => {
  const texts = [...Array<string>(6).fill("b ".repeat(1_000)), "hello world"];
  const input = texts.map((text) => ({ type: "text", text }));
  const custom_patterns = [{ name: "b", regex: "b", direction: "both", action: "flag" }];
  const alone = await scan(gateway, { input, custom_patterns });
  expect(alone.custom_pattern_scan).toMatchObject({ findings_capped: true });
  expect(alone.scanned.spans.map(({ location }) => location)).toEqual(
    [0, 1, 2, 3, 4].map((index) => ({ source: "input", index })),
  );
  expect(alone.scanned.unscanned).toMatchObject([
    { location: { source: "input", index: 5 } },
    { location: { source: "input", index: 6 }, tokens: 2 },
  ]);
  const both = await scan(gateway, { input, custom_patterns, categories: ["phi"] });
  expect(both.scanned.spans).toHaveLength(7);
  expect(both.scanned.unscanned).toEqual([]);
  expect([alone.input_tokens, both.billable_tokens]).toEqual([
    both.input_tokens,
    alone.input_tokens,
  ]);
});
