import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usageReport } from "../../src/billing/usage.ts";
import { usageTokensMax } from "../../src/contract/limits.ts";
import type { PlainObject } from "../../src/contract/plain-object.ts";
import {
  inputTokens,
  noUsage,
  outputTokens,
  usageBucketNames,
  type UsageBuckets,
} from "../../src/contract/usage.ts";
import type { Wire } from "../../src/contract/wire.ts";

function read(wire: Wire, usage: PlainObject) {
  return usageReport(wire, false, { usage, serviceTier: null, costText: null });
}

interface Row {
  readonly name: string;
  readonly wire: Wire;
  readonly usage: PlainObject;
  /** undefined: implausible; null: none there. */
  readonly buckets: Partial<UsageBuckets> | null | undefined;
}

const rows: readonly Row[] = [
  { name: "empty", wire: "chat", usage: {}, buckets: null },
  { name: "only nulls", wire: "messages", usage: { input_tokens: null }, buckets: null },
  { name: "a negative count", wire: "chat", usage: { prompt_tokens: -1 }, buckets: undefined },
  { name: "a fraction", wire: "chat", usage: { completion_tokens: 1.5 }, buckets: undefined },
  { name: "a string", wire: "chat", usage: { prompt_tokens: "12" }, buckets: undefined },
  {
    name: "more than anyone uses",
    wire: "messages",
    usage: { input_tokens: usageTokensMax + 1, output_tokens: 1 },
    buckets: undefined,
  },
  {
    name: "a cache count that is no count, where it is a whole of its own",
    wire: "messages",
    usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: -5 },
    buckets: undefined,
  },
  {
    name: "more cached than there is",
    wire: "chat",
    usage: { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 25 } },
    buckets: { cacheRead: 10 },
  },
  {
    name: "a negative detail",
    wire: "chat",
    usage: { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: -5 } },
    buckets: { uncachedInput: 10 },
  },
  {
    name: "cached audio is cached",
    wire: "chat",
    usage: { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 8, audio_tokens: 6 } },
    buckets: { cacheRead: 8, audioInput: 2 },
  },
  {
    name: "more reasoning than there is",
    wire: "chat",
    usage: { completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 11 } },
    buckets: { reasoning: 10 },
  },
  {
    name: "images, in and out",
    wire: "chat",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { image_tokens: 7 },
      completion_tokens_details: { image_tokens: 4 },
    },
    buckets: { uncachedInput: 3, imageInput: 7, outputText: 1, imageOutput: 4 },
  },
  {
    name: "the total says that one token stands beside the completion",
    wire: "chat",
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 16 },
    buckets: { uncachedInput: 10, outputText: 5, reasoning: 1 },
  },
  {
    name: "the total says that cached tokens stand beside the prompt",
    wire: "chat",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      prompt_tokens_details: { cached_tokens: 100 },
    },
    buckets: { uncachedInput: 10, cacheRead: 100, outputText: 5 },
  },
  {
    name: "the total says that cached tokens and reasoning stand beside the rest",
    wire: "chat",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 145,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    buckets: { uncachedInput: 10, cacheRead: 100, reasoning: 30, outputText: 5 },
  },
  {
    name: "a total that explains nothing",
    wire: "chat",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 999,
      completion_tokens_details: { reasoning_tokens: 3 },
    },
    buckets: { uncachedInput: 10, reasoning: 3, outputText: 2 },
  },
  {
    name: "a prompt that only the total tells",
    wire: "chat",
    usage: { prompt_tokens: null, completion_tokens: 5, total_tokens: 105 },
    buckets: { uncachedInput: 100, outputText: 5 },
  },
  {
    name: "a prompt that only the total tells, cached and with reasoning",
    wire: "chat",
    usage: {
      completion_tokens: 15,
      total_tokens: 115,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 10 },
    },
    buckets: { uncachedInput: 60, cacheRead: 40, reasoning: 10, outputText: 5 },
  },
  {
    name: "an output that only the total tells",
    wire: "chat",
    usage: {
      prompt_tokens: 100,
      completion_tokens: null,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 10 },
    },
    buckets: { uncachedInput: 100, reasoning: 10, outputText: 5 },
  },
  {
    name: "no prompt, and a total that is too small",
    wire: "chat",
    usage: { completion_tokens: 5, total_tokens: 1 },
    buckets: { outputText: 5 },
  },
  { name: "only a total", wire: "chat", usage: { total_tokens: 30 }, buckets: null },
  {
    name: "a total that is too small",
    wire: "chat",
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 1 },
    buckets: { uncachedInput: 10, outputText: 5 },
  },
  {
    name: "an hour's writes beyond all writes",
    wire: "messages",
    usage: {
      input_tokens: 1,
      cache_creation_input_tokens: 10,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 20 },
    },
    buckets: { uncachedInput: 1, cacheWrite1h: 10 },
  },
  {
    name: "writes only as a split",
    wire: "messages",
    usage: {
      input_tokens: 1,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 20 },
    },
    buckets: { uncachedInput: 1, cacheWrite5m: 4, cacheWrite1h: 20 },
  },
  {
    name: "thinking is part of the output",
    wire: "messages",
    usage: { input_tokens: 1, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } },
    buckets: { uncachedInput: 1, outputText: 5, reasoning: 4 },
  },
  {
    name: "an answer without a prompt of its own",
    wire: "messages",
    usage: { output_tokens: 3 },
    buckets: { outputText: 3 },
  },
  {
    name: "compactions of the context stand beside the whole",
    wire: "messages",
    usage: {
      input_tokens: 23_000,
      output_tokens: 1_000,
      iterations: [
        {
          type: "compaction",
          input_tokens: 180_000,
          output_tokens: 3_500,
          cache_read_input_tokens: 7,
          cache_creation_input_tokens: 9,
          cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 5 },
        },
        { type: "message", input_tokens: 23_000, output_tokens: 1_000 },
        null,
      ],
    },
    buckets: {
      uncachedInput: 203_000,
      outputText: 4_500,
      cacheRead: 7,
      cacheWrite5m: 4,
      cacheWrite1h: 5,
    },
  },
  {
    name: "a compaction that can't be true",
    wire: "messages",
    usage: { input_tokens: 1, iterations: [{ type: "compaction", input_tokens: -1 }] },
    buckets: undefined,
  },
];

describe("usage objects", () => {
  test.each(rows)("$wire: $name", ({ wire, usage, buckets }) => {
    const report = read(wire, usage);
    expect(report.implausible).toBe(buckets === undefined);
    expect(report.buckets).toEqual(
      buckets === undefined || buckets === null ? null : { ...noUsage, ...buckets },
    );
  });

  test.each([
    [{ service_tier: "standard", inference_geo: "global", speed: "standard" }, null],
    [{ service_tier: "priority" }, "priority"],
    [{ service_tier: "standard", speed: "fast" }, "fast"],
    [{ service_tier: "batch", inference_geo: "us" }, "batch+us"],
    [{ service_tier: "", inference_geo: "US" }, "US"],
    [{ service_tier: "auto" }, null],
    [{ service_tier: "Standard" }, null],
  ])("messages: %j is the tier %s", (usage, tier) => {
    expect(read("messages", { input_tokens: 1, ...usage }).serviceTier).toBe(tier);
  });
});

test.each([
  ["", null],
  ["auto", null],
  ["default", "default"],
  ["flex", "flex"],
  [null, null],
])("chat: the answer's service_tier %j is the tier %s", (serviceTier, tier) => {
  const usage = { prompt_tokens: 1 };
  for (const each of [usage, undefined]) {
    const report = usageReport("chat", false, { usage: each, serviceTier, costText: null });
    expect(report.serviceTier).toBe(tier);
  }
});

const count = fc.nat({ max: 1_000_000 });
const anything = fc.oneof(count, fc.constantFrom(null, -1, 0.5, "7", {}, [], true));

describe("whatever a usage object holds", () => {
  test("chat: buckets are counts, disjoint, and sum to prompt and completion", () => {
    fc.assert(
      fc.property(
        count,
        count,
        fc.dictionary(fc.constantFrom("cached_tokens", "audio_tokens", "image_tokens"), anything),
        fc.dictionary(fc.constantFrom("reasoning_tokens", "audio_tokens"), anything),
        (prompt, completion, prompt_tokens_details, completion_tokens_details) => {
          const { buckets } = read("chat", {
            prompt_tokens: prompt,
            completion_tokens: completion,
            prompt_tokens_details,
            completion_tokens_details,
          });
          expectCounts(buckets);
          expect(inputTokens(buckets ?? noUsage)).toBe(prompt);
          expect(outputTokens(buckets ?? noUsage)).toBe(completion);
        },
      ),
    );
  });

  test("messages: input, reads and writes are apart, and sum to all input", () => {
    fc.assert(
      fc.property(count, count, count, count, anything, (input, output, reads, writes, hour) => {
        const { buckets } = read("messages", {
          input_tokens: input,
          output_tokens: output,
          cache_read_input_tokens: reads,
          cache_creation_input_tokens: writes,
          cache_creation: { ephemeral_1h_input_tokens: hour },
        });
        expectCounts(buckets);
        expect(inputTokens(buckets ?? noUsage)).toBe(input + reads + writes);
        expect(outputTokens(buckets ?? noUsage)).toBe(output);
      }),
    );
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.constantFrom<Wire[]>("chat", "messages"), fc.object(), (wire, usage) => {
        read(wire, usage);
      }),
    );
  });
});

function expectCounts(buckets: UsageBuckets | null): void {
  for (const name of usageBucketNames) {
    expect(Number.isSafeInteger(buckets?.[name])).toBe(true);
    expect(buckets?.[name]).toBeGreaterThanOrEqual(0);
  }
}
