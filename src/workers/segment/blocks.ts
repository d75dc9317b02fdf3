import type { Members } from "./known.ts";

/*
 * The members of content blocks by the block's type, of all wires. Sources: the parameter types of
 * @anthropic-ai/sdk 1.11.0 (`resources/beta/messages`) and of the openai package
 * (`resources/chat/completions`, `resources/responses`), and requests of the clients in
 * test/fixtures/agents. What `content.ts` reads itself (`text`, `content`, `input`, media) is not
 * in here.
 */

const cacheControl: Members = { type: "value", ttl: "value", scope: "value" };
const caller: Members = { type: "value", tool_id: "value", caller_id: "value" };

/** Members that any block may have. */
const common: Members = {
  type: "value",
  id: "value",
  cache_control: cacheControl,
  prompt_cache_breakpoint: { type: "value", mode: "value" },
};

/** The place of a cited text. The text is from somebody's document. */
const citation: Members = {
  type: "value",
  citations: { enabled: "value" },
  enabled: "value",
  document_index: "value",
  search_result_index: "value",
  start_char_index: "value",
  end_char_index: "value",
  start_block_index: "value",
  end_block_index: "value",
  start_page_number: "value",
  end_page_number: "value",
  start_index: "value",
  end_index: "value",
  index: "value",
  file_id: "value",
  container_id: "value",
  encrypted_index: "sealed",
  url: "value",
};

const text: Members = { ...common, citations: citation, annotations: citation };
const toolUse: Members = {
  ...common,
  name: "text",
  caller,
  server_name: "value",
  toolset_name: "value",
};
const toolResult: Members = {
  ...common,
  tool_use_id: "value",
  is_error: "value",
  toolset_name: "value",
  caller,
};
const error: Members = { ...common, error_code: "value", error_message: "text" };
const outputFile: Members = { type: "value", file_id: "value" };
const codeResult: Members = {
  ...common,
  stdout: "text",
  stderr: "text",
  encrypted_stdout: "sealed",
  return_code: "value",
  content: outputFile,
};
const lines: Members = {
  ...common,
  content: "text",
  lines: "text",
  file_type: "value",
  num_lines: "value",
  start_line: "value",
  total_lines: "value",
  new_lines: "value",
  new_start: "value",
  old_lines: "value",
  old_start: "value",
  is_file_update: "value",
};

/** The members of a block of unknown type. */
const unknown: Members = { type: "value", cache_control: cacheControl };

const blocks: ReadonlyMap<string, Members> = new Map<string, Members>([
  ["text", text],
  ["input_text", text],
  ["output_text", { ...text, logprobs: { token: "text", bytes: "value", logprob: "value" } }],
  ["summary_text", text],
  ["reasoning_text", text],
  ["refusal", { ...common, refusal: "text" }],
  ["thinking", { ...common, thinking: "text", signature: "sealed" }],
  ["redacted_thinking", { ...common, data: "sealed" }],
  ["compaction", { ...common, encrypted_content: "sealed", signature: "sealed" }],
  ["image", { ...common, transformations: { oversized_image: "value" } }],
  ["document", { ...common, title: "text", context: "text", citations: { enabled: "value" } }],
  ["image_url", common],
  ["video_url", common],
  ["audio_url", common],
  ["input_audio", common],
  ["file", common],
  ["input_image", { ...common, detail: "value", file_id: "value" }],
  [
    "input_file",
    { ...common, detail: "value", file_id: "value", filename: "text", file_url: "value" },
  ],
  ["computer_screenshot", { ...common, file_id: "value" }],
  ["encrypted_content", { ...common, encrypted_content: "sealed" }],
  ["container_upload", { ...common, file_id: "value" }],
  ["tool_use", toolUse],
  ["tool_reference", { ...common, tool_name: "value" }],
  [
    "tool_search_tool_search_result",
    { ...common, tool_references: { ...common, tool_name: "value" } },
  ],
  ["search_result", { ...common, source: "value", title: "text", citations: { enabled: "value" } }],
  [
    "web_search_result",
    { ...common, url: "value", title: "text", page_age: "text", encrypted_content: "sealed" },
  ],
  ["web_fetch_result", { ...common, url: "value", retrieved_at: "value" }],
  ["advisor_result", { ...common, stop_reason: "value" }],
  ["advisor_redacted_result", { ...common, stop_reason: "value", encrypted_content: "sealed" }],
  ["fallback", { ...common, from: { model: "value" }, to: { model: "value" } }],
  ["code_execution_result", codeResult],
  ["bash_code_execution_result", codeResult],
  ["encrypted_code_execution_result", codeResult],
  ["text_editor_code_execution_view_result", lines],
  ["text_editor_code_execution_create_result", lines],
  ["text_editor_code_execution_str_replace_result", lines],
]);

/**
 * Block type → the member that holds its medium. The types of all wires are known on every wire.
 */
export const mediumOf: ReadonlyMap<string, string> = new Map([
  ["image_url", "image_url"],
  ["video_url", "video_url"],
  ["audio_url", "audio_url"],
  ["input_audio", "input_audio"],
  ["file", "file"],
  ["image", "source"],
  ["document", "source"],
  ["input_image", "image_url"],
  ["input_file", "file_data"],
  ["computer_screenshot", "image_url"],
]);

/** The members of all blocks, for code that needs all names. */
export const blockNames: readonly Members[] = [...blocks.values(), toolUse, toolResult, error];

/** The members of a block of this type; "": a block whose type is not known. */
export function membersOfBlock(type: string): Members {
  const exact = blocks.get(type);
  if (exact !== undefined) return exact;
  if (isToolResult(type)) return toolResult;
  if (isToolUse(type)) return toolUse;
  return type.endsWith("_tool_result_error") ? error : unknown;
}

/**
 * Whether a list of such blocks can be read block by block, so that a text in one of them is found.
 */
export function isKnownBlock(type: string): boolean {
  return blocks.has(type) || isToolResult(type) || type.endsWith("_tool_result_error");
}

/**
 * Whether a block of this type contains all that the model reads of it: no medium, and no id of a
 * file at the provider. Parts of its content may have other types.
 */
export function isTextBlock(type: string): boolean {
  if (!isKnownBlock(type) && !isToolUse(type)) return false;
  return !mediumOf.has(type) && !Object.hasOwn(membersOfBlock(type), "file_id");
}

export function isToolResult(type: string): boolean {
  return type === "tool_result" || type.endsWith("_tool_result");
}

export function isToolUse(type: string): boolean {
  return type === "tool_use" || type.endsWith("_tool_use");
}
