import type { DemoAnswer } from "./answer.ts";
import { chatFormat } from "./chat-format.ts";
import { jsonEscaped, type Rendering, type WireFormat } from "./rendering.ts";

/** The responses wire, as OpenAI's API reference and its SDK's types describe it. */
export const responsesFormat: WireFormat = {
  ...chatFormat,
  json,
  stream,
  errorEvent: (error, requestId) => {
    const { error: told } = JSON.parse(chatFormat.errorJson(error, requestId)) as {
      readonly error: { readonly code: string | null; readonly message: string };
    };
    const { code, message } = told;
    return event("error", {
      sequence_number: 0,
      code: code ?? "server_error",
      message,
      param: null,
    });
  },
};

/** Always the same second, because the same request has the same answer, byte for byte. */
const createdSeconds = 1_767_225_600;

function json(answer: DemoAnswer): Rendering {
  const { tokens } = answer;
  const [before = "", after = ""] = JSON.stringify(responseOf(answer, mark)).split(mark);
  return {
    opening: [before],
    tokenCount: tokens.count,
    token: (index) => jsonEscaped(tokens.at(index)),
    closing: [after],
  };
}

/** In place of the text, which is sent token by token. */
const mark = "@text@";

function stream(answer: DemoAnswer): Rendering {
  const { tokens } = answer;
  const text = Array.from({ length: tokens.count }, (_, i) => tokens.at(i)).join("");
  const item = itemOf(answer, text);
  const begun = { ...responseOf(answer, ""), status: "in_progress", output: [], usage: null };
  const place = { item_id: item.id, output_index: 0 };
  const isTool = answer.toolName !== null;
  const kind = isTool ? "response.function_call_arguments" : "response.output_text";
  const within = isTool ? place : { ...place, content_index: 0 };
  const logprobs = isTool ? {} : { logprobs: [] };
  let sequence_number = 0;
  const next = (type: string, more: object) =>
    event(type, { sequence_number: sequence_number++, ...more });
  const opening = [
    next("response.created", { response: begun }),
    next("response.in_progress", { response: begun }),
    next("response.output_item.added", {
      output_index: 0,
      item: itemOf(answer, "", "in_progress"),
    }),
    ...(isTool ? [] : [next("response.content_part.added", { ...within, part: partOf("") })]),
  ];
  const before = sequence_number;
  sequence_number += tokens.count;
  const done = isTool ? { arguments: text } : { text, ...logprobs };
  return {
    opening,
    tokenCount: tokens.count,
    token: (index) =>
      event(`${kind}.delta`, {
        sequence_number: before + index,
        ...within,
        delta: tokens.at(index),
        ...logprobs,
      }),
    closing: [
      next(`${kind}.done`, { ...within, ...done }),
      ...(isTool ? [] : [next("response.content_part.done", { ...within, part: partOf(text) })]),
      next("response.output_item.done", { output_index: 0, item }),
      next(answer.stop === "length" ? "response.incomplete" : "response.completed", {
        response: responseOf(answer, text),
      }),
    ],
  };
}

function event(type: string, more: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

function itemOf(answer: DemoAnswer, text: string, status = "completed") {
  const { toolName, fingerprint } = answer;
  return toolName === null
    ? {
        id: `msg_demo${fingerprint}`,
        type: "message",
        status,
        role: "assistant",
        content: status === "completed" ? [partOf(text)] : [],
      }
    : {
        id: `fc_demo${fingerprint}`,
        type: "function_call",
        status,
        call_id: `call_demo${fingerprint}`,
        name: toolName,
        arguments: text,
      };
}

function partOf(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function responseOf(answer: DemoAnswer, text: string) {
  const { fingerprint, modelName: model, promptTokens, completionTokens, stop } = answer;
  const isCut = stop === "length";
  return {
    id: `resp_demo${fingerprint}`,
    object: "response",
    created_at: createdSeconds,
    status: isCut ? "incomplete" : "completed",
    background: false,
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    instructions: null,
    metadata: {},
    model,
    output: [itemOf(answer, text)],
    parallel_tool_calls: true,
    previous_response_id: null,
    service_tier: "default",
    store: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: promptTokens + completionTokens,
    },
  };
}
