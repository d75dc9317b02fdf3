import type { Examples } from "./operation.ts";

const hello = [{ role: "user", content: "Say hello." }];

export const chatRequests: Examples = {
  json: {
    summary: "One answer as JSON",
    value: { model: "demo/echo", messages: hello },
  },
  stream: {
    summary: "Server-sent events",
    value: { model: "demo/echo", stream: true, messages: hello },
  },
};

export const chatAnswers: Examples = {
  json: {
    summary: "A chat completion",
    value: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1767225600,
      model: "echo",
      choices: [
        { index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    },
  },
};

export const chatStreams: Examples = {
  stream: {
    summary: "Two chunks and the end",
    value: [
      'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello!"},"finish_reason":null}]}',
      'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      "data: [DONE]\n\n",
    ].join("\n\n"),
  },
};

export const messagesRequests: Examples = {
  json: {
    summary: "One answer as JSON",
    value: { model: "demo/echo", max_tokens: 64, messages: hello },
  },
  stream: {
    summary: "Server-sent events",
    value: { model: "demo/echo", max_tokens: 64, stream: true, messages: hello },
  },
};

export const messagesAnswers: Examples = {
  json: {
    summary: "A message",
    value: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "echo",
      content: [{ type: "text", text: "Hello!" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 2 },
    },
  },
};

export const messagesStreams: Examples = {
  stream: {
    summary: "A piece of text and the end",
    value: [
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello!"}}',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ].join("\n\n"),
  },
};

export const responsesRequests: Examples = {
  json: { summary: "One answer as JSON", value: { model: "demo/echo", input: "Say hello." } },
  stream: {
    summary: "Server-sent events",
    value: { model: "demo/echo", stream: true, input: "Say hello." },
  },
};

export const responsesAnswers: Examples = {
  json: {
    summary: "A response",
    value: {
      id: "resp_1",
      object: "response",
      status: "completed",
      output: [
        {
          id: "msg_1",
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Hello!", annotations: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
    },
  },
};

export const responsesStreams: Examples = {
  stream: {
    summary: "A piece of text and the end",
    value: [
      'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello!"}',
      'event: response.completed\ndata: {"type":"response.completed","response":{"id":"resp_1","status":"completed"}}\n\n',
    ].join("\n\n"),
  },
};

export const embeddingsRequests: Examples = {
  texts: {
    summary: "Two texts",
    value: { model: "demo/text-embedding-echo", input: ["one", "two"] },
  },
};

export const embeddings: Examples = {
  list: {
    summary: "A vector",
    value: {
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
      model: "text-embedding-echo",
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  },
};

export const countRequests: Examples = {
  json: { summary: "A message to count", value: { model: "demo/echo", messages: hello } },
};

export const counts: Examples = { count: { summary: "A count", value: { input_tokens: 10 } } };

const echo = {
  id: "demo/echo",
  object: "model",
  created: 1767225600,
  owned_by: "demo",
  type: "model",
  display_name: "demo/echo",
  created_at: "2026-01-01T00:00:00.000Z",
};

export const oneModel: Examples = { model: { summary: "A model", value: echo } };

export const modelLists: Examples = {
  list: {
    summary: "One model",
    value: {
      object: "list",
      data: [echo],
      has_more: false,
      first_id: "demo/echo",
      last_id: "demo/echo",
    },
  },
};
