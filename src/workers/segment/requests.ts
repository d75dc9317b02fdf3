import type { BodyFormat } from "../pool/scan-job.ts";
import type { Members } from "./known.ts";

/*
 * The members of a request, except those that hold the conversation. The sources are those of blocks.ts.
 * Members that a client sends but its API's reference lacks have the name of the client beside them.
 */

const cacheControl: Members = { type: "value", ttl: "value", scope: "value" };
const namedTool: Members = { type: "value", name: "value" };
const toolChoice: Members = {
  ...namedTool,
  mode: "value",
  disable_parallel_tool_use: "value",
  server_label: "value",
  function: namedTool,
  custom: namedTool,
  tools: { ...namedTool, server_label: "value", function: namedTool },
  allowed_tools: {
    mode: "value",
    tools: { ...namedTool, server_label: "value", function: namedTool },
  },
};
const moderation: Members = { model: "value", mode: "value", policy: "value" };
const cacheOptions: Members = { mode: "value", ttl: "value", type: "value" };

const shared: Members = {
  max_tokens: "value",
  metadata: "map",
  model: "value",
  service_tier: "value",
  stream: "value",
  temperature: "value",
  tool_choice: toolChoice,
  top_p: "value",
  // OpenRouter's routing.
  provider: {
    order: "value",
    only: "value",
    ignore: "value",
    allow_fallbacks: "value",
    require_parameters: "value",
    data_collection: "value",
    quantizations: "value",
    sort: "value",
    zdr: "value",
    max_price: "map",
  },
};

const sharedOpenai: Members = {
  ...shared,
  moderation,
  parallel_tool_calls: "value",
  prompt_cache_key: "value",
  prompt_cache_options: cacheOptions,
  prompt_cache_retention: "value",
  safety_identifier: "value",
  store: "value",
  stream_options: { include_usage: "value", include_obfuscation: "value" },
  top_logprobs: "value",
  user: "value",
  max_output_tokens: "value",
};

const openai: Members = {
  ...sharedOpenai,
  audio: { format: "value", voice: "value" },
  frequency_penalty: "value",
  function_call: namedTool,
  logit_bias: "map",
  logprobs: "value",
  max_completion_tokens: "value",
  modalities: "value",
  n: "value",
  presence_penalty: "value",
  reasoning_effort: "value",
  // OpenRouter's.
  reasoning: { effort: "value", max_tokens: "value", exclude: "value", enabled: "value" },
  seed: "value",
  stop: "value",
  verbosity: "value",
  web_search_options: {
    search_context_size: "value",
    user_location: { type: "value", approximate: "map" },
  },
  // The required form of the answer. The model reads it, and it is nobody's prose.
  response_format: "text",
  prediction: "text",
  // vLLM, SGLang and llama.cpp.
  top_k: "value",
  min_p: "value",
  repetition_penalty: "value",
  // qwen-code.
  enable_thinking: "value",
  vl_high_resolution_images: "value",
};

const responses: Members = {
  ...sharedOpenai,
  background: "value",
  access_programs: "value",
  context_management: { type: "value", compact_threshold: "value" },
  conversation: { id: "value" },
  include: "value",
  max_tool_calls: "value",
  previous_response_id: "value",
  prompt: { id: "value", version: "value" },
  reasoning: {
    effort: "value",
    summary: "value",
    generate_summary: "value",
    context: "value",
    mode: "value",
  },
  truncation: "value",
  instructions: "text",
  text: "text",
  // Codex: installation, thread and turn ids, and where it runs.
  client_metadata: "map",
};

const thinking: Members = {
  type: "value",
  budget_tokens: "value",
  display: "value",
  block_binding: { prefix_mismatch_behavior: "value" },
};
const amount: Members = { type: "value", value: "value" };
const anthropic: Members = {
  ...shared,
  billing_policy: { type: "value" },
  cache_control: cacheControl,
  container: { id: "value", skills: { type: "value", skill_id: "value", version: "value" } },
  context_management: {
    edits: {
      type: "value",
      keep: amount,
      trigger: amount,
      clear_at_least: amount,
      clear_tool_inputs: "value",
      exclude_tools: "value",
      pause_after_compaction: "value",
    },
  },
  compaction: { type: "value" },
  diagnostics: { previous_message_id: "value" },
  fallback_credit_token: { token: "sealed", mode: "value" },
  fallbacks: { model: "value", max_tokens: "value", speed: "value", thinking },
  inference_geo: "value",
  mcp_servers: {
    type: "value",
    name: "value",
    url: "value",
    authorization_token: "sealed",
    tool_configuration: { enabled: "value", allowed_tools: "value" },
  },
  metadata: { user_id: "sealed" },
  output_config: "text",
  output_format: "text",
  speed: "value",
  stop_sequences: "value",
  thinking,
  // The SDK's toolRunner: which answer this turn goes on from.
  thread: { type: "value", previous_message_id: "value" },
  top_k: "value",
  user_profile_id: "value",
  workspace_id: "value",
};

const embeddings: Members = {
  dimensions: "value",
  encoding_format: "value",
  input_type: "value",
  metadata: "map",
  model: "value",
  provider: shared["provider"] ?? "value",
  service_tier: "value",
  truncate: "value",
  truncation: "value",
  user: "value",
};

export const membersOfRequest: Readonly<Record<Exclude<BodyFormat, "json">, Members>> = {
  openai,
  responses,
  anthropic,
  embeddings,
};
