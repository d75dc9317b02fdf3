import { usageTokensMax } from "../contract/limits.ts";
import { isPlainObject, type PlainObject } from "../contract/plain-object.ts";
import {
  noUsage,
  usageBucketNames,
  type UsageBucketName,
  type UsageBuckets,
  type UsageReport,
} from "../contract/usage.ts";
import type { Wire } from "../contract/wire.ts";

/** The usage that an answer reports, as far as the answer has been read. */
export interface AnsweredUsage {
  /** The usage object; undefined: the answer has none. */
  readonly usage: PlainObject | undefined;
  /** The answer's own `service_tier`; in chat it is beside the usage object. */
  readonly serviceTier: string | null;
  /** `usage.cost` in the provider's spelling. */
  readonly costText: string | null;
  /** Responses: calls of tools that the provider bills by use, which the usage object does not count. */
  readonly toolCalls?: number;
}

/**
 * The usage object of an answer in disjoint buckets (design section 5). A main count that is negative,
 * fractional, not a number or over `usageTokensMax` makes the whole usage implausible. A detail with
 * such a value is not counted, and a detail that exceeds its total is cut to it.
 */
export function usageReport(
  wire: Wire,
  streamed: boolean,
  { usage, serviceTier, costText, toolCalls = 0 }: AnsweredUsage,
): UsageReport {
  const tier = tierOf(serviceTier);
  const none = { streamed, implausible: false, serviceTier: tier, reportedCostUsd: costText };
  if (usage === undefined) return { ...none, buckets: null };
  const read = withToolCalls(bucketsOf[wire](usage), toolCalls);
  return {
    ...none,
    buckets: typeof read === "string" ? null : read,
    implausible: read === "implausible",
    serviceTier: wire === "messages" ? messagesTier(usage) : tier,
  };
}

type Read = UsageBuckets | "absent" | "implausible";

const bucketsOf: Readonly<Record<Wire, (usage: PlainObject) => Read>> = {
  chat: chatBuckets,
  messages: messagesBuckets,
  responses: responsesBuckets,
  embeddings: embeddingsBuckets,
};

function withToolCalls(read: Read, toolCalls: number): Read {
  if (typeof read === "string" || toolCalls === 0) return read;
  return { ...read, toolCalls: read.toolCalls + toolCalls };
}

/** Embeddings: there is input alone. Some providers name only the total. */
function embeddingsBuckets(usage: PlainObject): Read {
  const tokens = count(usage["prompt_tokens"]) ?? count(usage["total_tokens"]);
  if (tokens === undefined) return "absent";
  return Number.isNaN(tokens) ? "implausible" : { ...noUsage, uncachedInput: tokens };
}

/** Responses: `input_tokens` includes the cached ones, `output_tokens` the reasoning. */
function responsesBuckets(usage: PlainObject): Read {
  const [input, output] = [count(usage["input_tokens"]), count(usage["output_tokens"])];
  if (input === undefined && output === undefined) return "absent";
  if ([input, output].some(Number.isNaN)) return "implausible";
  const read = members(usage["input_tokens_details"]);
  const written = members(usage["output_tokens_details"]);
  const prompt = new Parts(input ?? 0);
  const answer = new Parts(output ?? 0);
  return {
    ...noUsage,
    cacheRead: prompt.take(detail(read["cached_tokens"])),
    cacheWrite5m: prompt.take(detail(read["cache_write_tokens"])),
    uncachedInput: prompt.rest,
    reasoning: answer.take(detail(written["reasoning_tokens"])),
    outputText: answer.rest,
  };
}

/** Chat: `prompt_tokens` includes the cached ones, `completion_tokens` the reasoning. */
function chatBuckets(usage: PlainObject): Read {
  const counts = [count(usage["prompt_tokens"]), count(usage["completion_tokens"])] as const;
  if (counts[0] === undefined && counts[1] === undefined) return "absent";
  if (counts.some(Number.isNaN)) return "implausible";
  const total = detail(usage["total_tokens"]);
  // A missing count is the total minus the other count.
  const prompt = counts[0] ?? Math.max(0, total - (counts[1] ?? 0));
  const completion = counts[1] ?? Math.max(0, total - prompt);
  const of = members(usage["prompt_tokens_details"]);
  const cached = detail(
    of["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"],
  );
  const written = detail(of["cache_write_tokens"] ?? usage["cache_creation_input_tokens"]);
  const answered = members(usage["completion_tokens_details"]);
  const reasoning = detail(answered["reasoning_tokens"] ?? usage["reasoning_tokens"]);
  const more = total - prompt - completion;
  const { toPrompt, toReasoning } = beside(more, { cached: cached + written, reasoning });
  const input = new Parts(prompt + toPrompt);
  const output = new Parts(completion + toReasoning);
  return {
    cacheRead: input.take(cached),
    cacheWrite5m: input.take(written),
    cacheWrite1h: 0,
    audioInput: input.take(detail(of["audio_tokens"])),
    imageInput: input.take(detail(of["image_tokens"])),
    uncachedInput: input.rest,
    reasoning: output.take(Math.max(reasoning, toReasoning)),
    audioOutput: output.take(detail(answered["audio_tokens"])),
    imageOutput: output.take(detail(answered["image_tokens"])),
    outputText: output.rest,
    toolCalls: detail(
      members(usage["server_tool_use"])["web_search_requests"] ??
        members(usage["server_tool_use_details"])["web_search_requests"],
    ),
  };
}

/**
 * If `total_tokens` is `more` than prompt and completion together, one of them lacks a part: xAI counts
 * reasoning beside the completion; Gemini does too, without naming it; others count cached tokens
 * beside the prompt.
 */
function beside(
  more: number,
  { cached, reasoning }: { readonly cached: number; readonly reasoning: number },
): { readonly toPrompt: number; readonly toReasoning: number } {
  if (more > 0) {
    if (more === reasoning || (reasoning === 0 && more !== cached)) {
      return { toPrompt: 0, toReasoning: more };
    }
    if (more === cached) return { toPrompt: more, toReasoning: 0 };
    if (more === cached + reasoning) return { toPrompt: cached, toReasoning: reasoning };
  }
  return { toPrompt: 0, toReasoning: 0 };
}

/**
 * The total counts plus the compactions of the context. Anthropic bills compactions but leaves them out
 * of the totals: they are only in `iterations`.
 */
function messagesBuckets(usage: PlainObject): Read {
  const whole = messageBuckets(usage);
  const { iterations } = usage;
  if (whole === "absent" || whole === "implausible" || !Array.isArray(iterations)) return whole;
  let sum = whole;
  for (const iteration of iterations.map(members)) {
    if (iteration["type"] !== "compaction") continue;
    const compaction = messageBuckets(iteration);
    if (compaction === "implausible") return compaction;
    if (compaction !== "absent") sum = addBuckets(sum, compaction);
  }
  return sum;
}

/** Messages: `input_tokens` excludes tokens read from the cache and tokens written to it. */
function messageBuckets(usage: PlainObject): Read {
  const input = count(usage["input_tokens"]);
  const output = count(usage["output_tokens"]);
  if (input === undefined && output === undefined) return "absent";
  const cacheRead = count(usage["cache_read_input_tokens"]) ?? 0;
  const split = members(usage["cache_creation"]);
  const forHour = detail(split["ephemeral_1h_input_tokens"]);
  const written =
    count(usage["cache_creation_input_tokens"]) ??
    detail(split["ephemeral_5m_input_tokens"]) + forHour;
  const toolCalls = count(members(usage["server_tool_use"])["web_search_requests"]) ?? 0;
  if ([input, output, cacheRead, written, toolCalls].some(Number.isNaN)) return "implausible";
  const writes = new Parts(written);
  const answer = new Parts(output ?? 0);
  return {
    ...noUsage,
    uncachedInput: input ?? 0,
    cacheRead,
    cacheWrite1h: writes.take(forHour),
    cacheWrite5m: writes.rest,
    reasoning: answer.take(detail(members(usage["output_tokens_details"])["thinking_tokens"])),
    outputText: answer.rest,
    toolCalls,
  };
}

function addBuckets(one: UsageBuckets, other: UsageBuckets): UsageBuckets {
  const sum: Record<UsageBucketName, number> = { ...one };
  for (const name of usageBucketNames) sum[name] += other[name];
  return sum;
}

/**
 * The tier and the other things that change a message's price: fast mode, and inference that stays in a
 * region. Together they are one tier, `priority+fast+us`; null is the standard one.
 */
function messagesTier(usage: PlainObject): string | null {
  return tierOf(usage["service_tier"], usage["speed"], usage["inference_geo"]);
}

function tierOf(...named: readonly unknown[]): string | null {
  const special = named.filter(
    (value): value is string => typeof value === "string" && !unremarkable.has(value.toLowerCase()),
  );
  return special.length === 0 ? null : special.join("+");
}

/**
 * Names that stand for the standard tier. Some providers repeat the request's `auto`; they would
 * name another tier.
 */
const unremarkable: ReadonlySet<string> = new Set([
  "standard",
  "global",
  "not_available",
  "auto",
  "",
]);

/** A total, split into disjoint parts that together never exceed it. */
class Parts {
  rest: number;

  constructor(whole: number) {
    this.rest = whole;
  }

  take(wanted: number): number {
    const part = Math.min(wanted, this.rest);
    this.rest -= part;
    return part;
  }
}

/** undefined: absent. NaN: the count can't be true. */
function count(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  return isCount(value) ? value : NaN;
}

/** 0 if the count is absent or can't be true. */
function detail(value: unknown): number {
  return isCount(value) ? value : 0;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= usageTokensMax;
}

function members(value: unknown): PlainObject {
  return isPlainObject(value) ? value : nothing;
}

const nothing: PlainObject = {};
