import type { DemoAnswer } from "./answer.ts";
import type { ErrorKind, ProviderError } from "./provider-error.ts";
import { jsonEscaped, type Rendering, type WireFormat } from "./rendering.ts";

/** The messages wire, as Anthropic's API reference and its SDK's types describe it. */
export const messagesFormat: WireFormat = {
  json,
  stream,
  errorJson,
  errorEvent: (error, requestId) => `event: error\ndata: ${errorJson(error, requestId)}\n\n`,
  rateLimitHeaders() {
    const resetAt = new Date(Date.now() + 7_000).toISOString();
    return ["requests", "tokens", "input-tokens", "output-tokens"].flatMap((unit) => [
      ...[`anthropic-ratelimit-${unit}-limit`, "50000"],
      ...[`anthropic-ratelimit-${unit}-remaining`, unit === "requests" ? "0" : "49000"],
      ...[`anthropic-ratelimit-${unit}-reset`, resetAt],
    ]);
  },
  requestIdHeader: "request-id",
  pingEvent: event("ping", `{"type": "ping"}`),
};

/** What a message would cost, in tokens. */
export const countFormat: WireFormat = {
  ...messagesFormat,
  json: countOf,
  stream: countOf,
};

function countOf({ promptTokens }: DemoAnswer): Rendering {
  return {
    opening: [JSON.stringify({ input_tokens: promptTokens })],
    tokenCount: 0,
    token: () => "",
    closing: [],
  };
}

function json(answer: DemoAnswer): Rendering {
  const { toolName, stop } = answer;
  // A tool's input is JSON, and not a string that contains JSON. Cut JSON is invalid, so the input
  // stays empty then.
  const inputLost = toolName !== null && stop === "length";
  const [open, close] =
    toolName === null ? [`{"type":"text","citations":null,"text":"`, `"}`] : [toolUse(answer), `}`];
  return {
    opening: [`{${messageHead(answer)},"content":[${open}${inputLost ? "{}" : ""}`],
    tokenCount: inputLost ? 0 : answer.tokens.count,
    token(index) {
      const text = answer.tokens.at(index);
      return toolName === null ? jsonEscaped(text) : text;
    },
    closing: [`${close}],${messageEnd(stopReason(answer), answer, answer.completionTokens)}}`],
  };
}

function stream(answer: DemoAnswer): Rendering {
  const { toolName, tokens } = answer;
  const [deltaType, member] =
    toolName === null ? ["text_delta", "text"] : ["input_json_delta", "partial_json"];
  const before = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"${deltaType}","${member}":`;
  const delta = (text: string) => `${before}${JSON.stringify(text)}}}\n\n`;
  const block =
    toolName === null ? `{"type":"text","citations":null,"text":""}` : `${toolUse(answer)}{}}`;
  const message = `{${messageHead(answer)},"content":[],${messageEnd("null", answer, 1)}}`;
  return {
    opening: [
      event("message_start", `{"type":"message_start","message":${message}}`),
      event(
        "content_block_start",
        `{"type":"content_block_start","index":0,"content_block":${block}}`,
      ),
      event("ping", `{"type": "ping"}`),
      // A tool's input begins with an empty delta on the real wire.
      ...(toolName === null ? [] : [delta("")]),
    ],
    tokenCount: tokens.count,
    token: (index) => delta(tokens.at(index)),
    closing: [
      event("content_block_stop", `{"type":"content_block_stop","index":0}`),
      event(
        "message_delta",
        `{"type":"message_delta","delta":{"container":null,"stop_details":null,"stop_reason":` +
          `${stopReason(answer)},"stop_sequence":null},"usage":${JSON.stringify(deltaUsage(answer))}}`,
      ),
      event("message_stop", `{"type":"message_stop"}`),
    ],
  };
}

function event(name: string, dataJson: string): string {
  return `event: ${name}\ndata: ${dataJson}\n\n`;
}

/** A tool_use block up to the value of its input. */
function toolUse(answer: DemoAnswer): string {
  return `{"type":"tool_use","id":"toolu_demo${answer.fingerprint}","caller":{"type":"direct"},"name":${JSON.stringify(answer.toolName)},"input":`;
}

function messageHead(answer: DemoAnswer): string {
  return (
    `"id":"msg_demo${answer.fingerprint}","type":"message","role":"assistant",` +
    `"model":${JSON.stringify(answer.modelName)},"container":null,"diagnostics":null`
  );
}

function messageEnd(stopReasonJson: string, answer: DemoAnswer, outputTokens: number): string {
  const usage = JSON.stringify({
    ...deltaUsage(answer),
    output_tokens: outputTokens,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    inference_geo: null,
    service_tier: "standard",
    speed: "standard",
  });
  return `"stop_reason":${stopReasonJson},"stop_sequence":null,"stop_details":null,"usage":${usage}`;
}

function deltaUsage(answer: DemoAnswer) {
  return {
    input_tokens: answer.promptTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: answer.completionTokens,
    output_tokens_details: null,
    server_tool_use: null,
  };
}

function stopReason(answer: DemoAnswer): string {
  return { end: `"end_turn"`, length: `"max_tokens"`, tool: `"tool_use"` }[answer.stop];
}

const typeOf: Readonly<Record<ErrorKind, string>> = {
  invalid_request: "invalid_request_error",
  authentication: "authentication_error",
  permission: "permission_error",
  not_found: "not_found_error",
  request_too_large: "request_too_large",
  rate_limit: "rate_limit_error",
  server: "api_error",
  overloaded: "overloaded_error",
};

function errorJson(error: ProviderError, requestId: string): string {
  return JSON.stringify({
    type: "error",
    error: { type: typeOf[error.kind], message: error.message },
    request_id: requestId,
  });
}
