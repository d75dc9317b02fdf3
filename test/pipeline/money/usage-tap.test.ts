import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noUsage } from "../../../src/contract/usage.ts";
import type { Wire } from "../../../src/contract/wire.ts";
import { readJsonAnswerUsage } from "../../../src/pipeline/money/usage-reader.ts";
import { UsageTap } from "../../../src/pipeline/money/usage-tap.ts";

function tapped(wire: Wire, ...payloads: readonly string[]) {
  const tap = new UsageTap(wire);
  for (const payload of payloads) tap.push(Buffer.from(payload));
  return tap.finish();
}

describe("a tap on a stream", () => {
  test.each<[string, Wire, string]>([
    ["nothing", "chat", ""],
    ["the end", "chat", "[DONE]"],
    ["null", "chat", `{"usage" : null}`],
    [
      "text that looks like it",
      "chat",
      String.raw`{"choices":[{"delta":{"content":"\"usage\":{}"}}]}`,
    ],
    ["a member of another object", "chat", `{"choices":[{"delta":{"usage":{"prompt_tokens":5}}}]}`],
    ["not JSON", "chat", `{"usage":{"prompt_tokens":5`],
    ["no object", "chat", `{"usage":[1]}`],
    ["half of a usage", "messages", `{"type":"message_delta","usage":{"output_tok`],
  ])("finds none in %s", (_, wire, payload) => {
    expect(tapped(wire, payload)).toMatchObject({ streamed: true, buckets: null });
  });

  test("keeps what it knew when an event can't be read", () => {
    const report = tapped("chat", `{"usage":{"prompt_tokens":5}}`, `{"usage":{"prompt`, "{}");
    expect(report.buckets).toEqual({ ...noUsage, uncachedInput: 5 });
  });

  test("chat: reads Moonshot's, which stands in the first choice", () => {
    const counts = `"usage":{"prompt_tokens":10,"completion_tokens":5}`;
    const report = tapped(
      "chat",
      `{"choices":[{"index":0,"delta":{"content":"P"}}]}`,
      `{"choices":[{"index":0,"delta":{},"finish_reason":"stop",${counts}},{"usage":{"prompt_tokens":1}}]}`,
      `{"choices":[{"delta":{"content":"[1]"}}],"usage":null}`,
      `{"choices":[]}`,
    );
    expect(report.buckets).toEqual({ ...noUsage, uncachedInput: 10, outputText: 5 });
  });

  test("chat: the answer's own usage goes before a choice's", () => {
    const report = tapped(
      "chat",
      `{"usage":{"completion_tokens":5},"choices":[{"usage":{"completion_tokens":7}}]}`,
    );
    expect(report.buckets).toEqual({ ...noUsage, outputText: 5 });
  });

  test("messages: a choice is none", () => {
    const payload = `{"choices":[{"usage":{"input_tokens":5}}]}`;
    expect(tapped("messages", payload).buckets).toBe(null);
  });

  test.each([
    `{"usage":{}}`,
    `{"usage":null}`,
    `{"usage":{"prompt_tokens":null,"completion_tokens":null}}`,
    `{"usage":{"total_tokens":null}}`,
  ])("chat: %s takes nothing back", (payload) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cost: 0.5 };
    const report = tapped("chat", JSON.stringify({ usage }), payload);
    expect(report.buckets).toEqual({ ...noUsage, uncachedInput: 10, outputText: 5 });
    expect(report.reportedCostUsd).toBe("0.5");
  });

  test("messages: a member that an event leaves out or null keeps its count", () => {
    const report = tapped(
      "messages",
      `{"type":"message_start","message":{"usage":{"input_tokens":7,"cache_read_input_tokens":3,"output_tokens":1,"service_tier":"priority"}}}`,
      `{"type":"message_delta","usage":{"output_tokens":20,"input_tokens":null}}`,
      `{"type":"message_delta","usage":{"output_tokens":35}}`,
    );
    expect(report.buckets).toEqual({ ...noUsage, uncachedInput: 7, cacheRead: 3, outputText: 35 });
    expect(report.serviceTier).toBe("priority");
  });

  test("takes any bytes", () => {
    const noise = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => `{"usage":${text}`),
    );
    fc.assert(
      fc.property(
        fc.constantFrom<Wire[]>("chat", "messages"),
        fc.array(noise),
        (wire, payloads) => {
          tapped(wire, ...payloads);
        },
      ),
    );
  });
});

describe("a JSON answer", () => {
  test.each(["", "null", "[]", "not JSON", `{"usage":`, `{"usage":{"a":`])(
    "%j has none",
    (text) => {
      expect(readJsonAnswerUsage("chat", Buffer.from(text)).buckets).toBe(null);
    },
  );

  test("may lie in shared memory, anywhere", () => {
    const text = Buffer.from(`{"usage":{"prompt_tokens":5,"cost":0.10000000000000000001}}`);
    const bytes = new Uint8Array(new SharedArrayBuffer(text.length + 9)).subarray(9);
    bytes.set(text);
    expect(readJsonAnswerUsage("chat", bytes)).toMatchObject({
      streamed: false,
      buckets: { uncachedInput: 5 },
      reportedCostUsd: "0.10000000000000000001",
    });
  });
});
