import { dataEvent } from "./scripted-provider.ts";

/**
 * A model endpoint, for tests that have a row for each: a request, and what a provider answers. Each answer
 * reports 10 tokens in and, if the endpoint writes text, 5 out.
 */
export interface WireRow {
  readonly name: string;
  readonly path: string;
  /** A request for at most 100 tokens out; the model is `p/m`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly json: Readonly<Record<string, unknown>>;
  readonly withoutUsage: Readonly<Record<string, unknown>>;
  /** How its usage is counted. */
  readonly usage: Readonly<Record<string, number>>;
  /** At $1 and $2 for a million tokens. */
  readonly costUsd: string;
}

export interface StreamedWireRow extends WireRow {
  /** A stream's events; the last one is the terminal one. */
  readonly sse: readonly [string, string, string, ...string[]];
  /** The same stream, without any usage. */
  readonly sseWithoutUsage: readonly string[];
  /** What a client gets of it that did not ask for usage. */
  readonly seen: string;
  /** Begins the event that tells why a stream was cut. */
  readonly cutNotice: string;
}

const words = "What is the capital of France?";
const messages = [{ role: "user", content: words }];
const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const tokens = { input_tokens: 10, output_tokens: 5 };
const written = { usage: { uncachedInput: 10, outputText: 5 }, costUsd: "0.000020" };

/** An event with a name. */
export function namedEvent(type: string, more: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
}

const completion = {
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Paris" } }],
};
const chunk = dataEvent({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content: "Paris" } }],
});
const usageChunk = dataEvent({ id: "c", choices: [], usage: counts });
const done = dataEvent("[DONE]");

const message = { id: "msg_1", type: "message", content: [{ type: "text", text: "Paris" }] };
const messageEvents = (started: object, ended: object): StreamedWireRow["sse"] => [
  namedEvent("message_start", { message: { ...message, content: [], ...started } }),
  namedEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Paris" } }),
  namedEvent("message_delta", { delta: { stop_reason: "end_turn" }, ...ended }),
  namedEvent("message_stop"),
];
const messageStream = messageEvents(
  { usage: { input_tokens: 10, output_tokens: 1 } },
  { usage: { output_tokens: 5 } },
);

const item = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: "Paris", annotations: [] }],
};
const response = { id: "resp_1", object: "response", status: "completed", output: [item] };
const responseEvents = (completed: object): StreamedWireRow["sse"] => [
  namedEvent("response.created", { response: { ...response, status: "in_progress", output: [] } }),
  namedEvent("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta: "Paris" }),
  namedEvent("response.completed", { response: completed }),
];
const responseStream = responseEvents({ ...response, usage: tokens });

export const streamedWires: readonly [StreamedWireRow, StreamedWireRow, StreamedWireRow] = [
  {
    name: "chat",
    path: "/v1/chat/completions",
    request: { model: "p/m", max_tokens: 100, messages },
    json: { ...completion, usage: counts },
    withoutUsage: completion,
    ...written,
    sse: [chunk, usageChunk, done],
    sseWithoutUsage: [chunk, done],
    seen: chunk + done,
    cutNotice: 'data: {"error":{"code":"',
  },
  {
    name: "messages",
    path: "/v1/messages",
    request: { model: "p/m", max_tokens: 100, messages },
    json: { ...message, usage: tokens },
    withoutUsage: message,
    ...written,
    sse: messageStream,
    sseWithoutUsage: messageEvents({}, {}),
    seen: messageStream.join(""),
    cutNotice: 'event: error\ndata: {"type":"error"',
  },
  {
    name: "responses",
    path: "/v1/responses",
    request: { model: "p/m", max_output_tokens: 100, input: words },
    json: { ...response, usage: tokens },
    withoutUsage: response,
    ...written,
    sse: responseStream,
    sseWithoutUsage: responseEvents(response),
    seen: responseStream.join(""),
    cutNotice: 'event: error\ndata: {"type":"error","code":"',
  },
];

const embedding = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
};

/** Every model endpoint that is billed. */
export const billedWires: readonly WireRow[] = [
  ...streamedWires,
  {
    name: "embeddings",
    path: "/v1/embeddings",
    request: { model: "p/m", input: words },
    json: { ...embedding, usage: { prompt_tokens: 10, total_tokens: 10 } },
    withoutUsage: embedding,
    usage: { uncachedInput: 10 },
    costUsd: "0.000010",
  },
];
