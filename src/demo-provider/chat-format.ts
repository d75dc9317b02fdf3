import type { DemoAnswer } from "./answer.ts";
import type { ErrorKind, ProviderError } from "./provider-error.ts";
import { jsonEscaped, type Rendering, type WireFormat } from "./rendering.ts";

/** The chat-completions wire, as OpenAI's API reference and its SDK's types describe it. */
export const chatFormat: WireFormat = {
  json,
  stream,
  errorJson: (error) => JSON.stringify({ error: errorObject(error) }),
  errorEvent: (error) => `data: ${JSON.stringify({ error: errorObject(error) })}\n\n`,
  rateLimitHeaders: () => [
    ...["x-ratelimit-limit-requests", "500", "x-ratelimit-remaining-requests", "0"],
    ...["x-ratelimit-reset-requests", "7s", "x-ratelimit-limit-tokens", "200000"],
    ...["x-ratelimit-remaining-tokens", "149984", "x-ratelimit-reset-tokens", "6m0s"],
  ],
  requestIdHeader: "x-request-id",
  pingEvent: ": ping\n\n",
};

/** Always the same second, because the same request has the same answer, byte for byte. */
const createdSeconds = 1_767_225_600;

function json(answer: DemoAnswer): Rendering {
  const { tokens, choices } = answer;
  const isTool = answer.toolName !== null;
  const message = isTool
    ? `{"role":"assistant","content":null,"refusal":null,"annotations":[],"tool_calls":[{"id":` +
      `"${callId(answer)}","type":"function","function":{"name":${JSON.stringify(answer.toolName)},"arguments":"`
    : `{"role":"assistant","refusal":null,"annotations":[],"content":"`;
  const open = (index: number) => `{"index":${String(index)},"message":${message}`;
  const close = `"${isTool ? "}}]" : ""}},"logprobs":null,"finish_reason":"${finishReason(answer)}"}`;
  // Choices come one after the other: the next one begins after the end of the last one.
  let between = "";
  for (let index = 1; index < choices && tokens.count === 0; index += 1) {
    between += `${close},${open(index)}`;
  }
  return {
    opening: [`{${envelope(answer, "chat.completion")},"choices":[${open(0)}${between}`],
    tokenCount: tokens.count * choices,
    token(index) {
      const position = index % tokens.count;
      const text = jsonEscaped(tokens.at(position));
      if (position > 0 || index === 0) return text;
      return `${close},${open(index / tokens.count)}${text}`;
    },
    closing: [`${close}],"usage":${usage(answer)}}`],
  };
}

function stream(answer: DemoAnswer): Rendering {
  const { tokens, choices, toolName } = answer;
  const head = `data: {${envelope(answer, "chat.completion.chunk")},"choices":[`;
  const tail = answer.includeUsage ? `],"usage":null}\n\n` : `]}\n\n`;
  const chunk = (choice: number, delta: string, reason: string) =>
    `${head}{"index":${String(choice)},"delta":${delta},"logprobs":null,"finish_reason":${reason}}${tail}`;
  const first =
    toolName === null
      ? `{"role":"assistant","content":"","refusal":null}`
      : `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"${callId(answer)}",` +
        `"type":"function","function":{"name":${JSON.stringify(toolName)},"arguments":""}}],"refusal":null}`;
  const [before, behind] =
    toolName === null
      ? [`{"content":`, `}`]
      : [`{"tool_calls":[{"index":0,"function":{"arguments":`, `}}]}`];
  const ofEachChoice = (delta: string, reason: string) =>
    Array.from({ length: choices }, (_, index) => chunk(index, delta, reason));
  return {
    opening: ofEachChoice(first, "null"),
    tokenCount: tokens.count * choices,
    token(index) {
      const text = JSON.stringify(tokens.at(Math.floor(index / choices)));
      return chunk(index % choices, before + text + behind, "null");
    },
    closing: [
      ...ofEachChoice("{}", `"${finishReason(answer)}"`),
      ...(answer.includeUsage ? [`${head}],"usage":${usage(answer)}}\n\n`] : []),
      "data: [DONE]\n\n",
    ],
  };
}

function envelope(answer: DemoAnswer, object: string): string {
  return (
    `"id":"chatcmpl-demo${answer.fingerprint}","object":"${object}","created":${String(createdSeconds)},` +
    `"model":${JSON.stringify(answer.modelName)},"service_tier":"default","system_fingerprint":"fp_demo"`
  );
}

function callId(answer: DemoAnswer): string {
  return `call_demo${answer.fingerprint}`;
}

function finishReason(answer: DemoAnswer): string {
  return { end: "stop", length: "length", tool: "tool_calls" }[answer.stop];
}

function usage(answer: DemoAnswer): string {
  return JSON.stringify({
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    total_tokens: answer.promptTokens + answer.completionTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  });
}

const typeAndCode: Readonly<Record<ErrorKind, readonly [type: string, code: string | null]>> = {
  invalid_request: ["invalid_request_error", null],
  authentication: ["invalid_request_error", "invalid_api_key"],
  permission: ["request_forbidden", "unsupported_country_region_territory"],
  not_found: ["invalid_request_error", "model_not_found"],
  request_too_large: ["invalid_request_error", "request_too_large"],
  rate_limit: ["requests", "rate_limit_exceeded"],
  server: ["server_error", null],
  overloaded: ["server_error", "overloaded"],
};

function errorObject(error: ProviderError): object {
  const [type, code] = typeAndCode[error.kind];
  return { message: error.message, type, param: null, code };
}
