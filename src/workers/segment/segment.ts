import type { Segment } from "../../contract/scan.ts";
import { JsonReader } from "../../json/reader.ts";
import type { BodyFormat } from "../scan-job.ts";
import { walkContent } from "./content.ts";
import type { LeafVisitor } from "./leaf.ts";
import { walkMessages } from "./messages.ts";
import { Place } from "./place.ts";
import { walkInput } from "./responses.ts";
import { Walk } from "./walk.ts";

/**
 * Finds what the model reads in a provider request (design section 7, "What a provider request has
 * scanned"). `bytes` is JSON that has been validated. Members that nobody knows are read by the
 * model; of members that stand twice, both are.
 */
export function visitLeaves(bytes: Uint8Array, format: BodyFormat, visitor: LeafVisitor): void {
  const walk = new Walk(new JsonReader(bytes), visitor);
  const request = Place.source("request");
  if (format === "json" || walk.reader.type() !== "object") return walk.all(request, "user");
  walk.members(request, (member, key) => {
    if (key === "messages") walkMessages(walk);
    else if (key === "tools") walk.all(Place.source("tools"), "tool");
    else if (key === "system" && format === "anthropic")
      walkContent(walk, Place.source("system"), member, null);
    else if (key === "input" && format === "responses") walkInput(walk, member);
    else if (parameters[format].has(key)) walk.unscanned(member);
    else walk.all(member, segmentOf(key, format));
  });
}

/** Model-visible members of the request that are neither the user's nor a tool's text. */
const unscored = new Set(["response_format", "prediction", "output_config", "output_format"]);
/** Those of the responses API: the system's text, and the form that the answer has. */
const unscoredInResponses = new Set(["instructions", "text"]);

function segmentOf(key: string, format: BodyFormat): Segment | null {
  if (key === "functions") return "tool";
  const isUnscored = format === "responses" ? unscoredInResponses : unscored;
  return isUnscored.has(key) ? null : "user";
}

const shared = [
  "max_tokens",
  "metadata",
  "model",
  "provider",
  "service_tier",
  "stream",
  "temperature",
  "tool_choice",
  "top_p",
];

/** What steers the provider and is not read by the model. */
const parameters: Readonly<Record<Exclude<BodyFormat, "json">, ReadonlySet<string>>> = {
  openai: new Set([
    ...shared,
    "audio",
    "frequency_penalty",
    "function_call",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_output_tokens",
    "modalities",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "safety_identifier",
    "seed",
    "stop",
    "store",
    "stream_options",
    "top_logprobs",
    "user",
    "verbosity",
  ]),
  responses: new Set([
    ...shared,
    "background",
    "conversation",
    "include",
    "max_output_tokens",
    "max_tool_calls",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "store",
    "stream_options",
    "top_logprobs",
    "truncation",
    "user",
  ]),
  anthropic: new Set([
    ...shared,
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "mcp_servers",
    "speed",
    "stop_sequences",
    "thinking",
    "top_k",
  ]),
};
