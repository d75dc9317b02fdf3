import { fieldsOf, listOf, newId, textOf, type Fields } from "./json.ts";
import { pieces, type Conversation, type Step, type Turn } from "./script.ts";

/** The chat-completions wire. */

export interface ChatRequest extends Conversation {
  readonly includeUsage: boolean;
}

export function readChat(body: Fields, bytes: number): ChatRequest {
  const format = fieldsOf(body["response_format"]);
  return {
    wire: "chat",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    steps: listOf(body["messages"]).flatMap(stepOf),
    tools: listOf(body["tools"]).map((tool) =>
      textOf(fieldsOf(fieldsOf(tool)["function"])["name"]),
    ),
    schema: fieldsOf(format["json_schema"])["schema"],
    thinks: false,
    bytes,
    includeUsage: fieldsOf(body["stream_options"])["include_usage"] === true,
  };
}

function stepOf(message: unknown): readonly Step[] {
  const { role, content } = fieldsOf(message);
  if (role === "assistant") return [{ kind: "assistant" }];
  if (role !== "user") return [];
  if (typeof content === "string") return [{ kind: "user", text: content }];
  const text = listOf(content)
    .map((part) => textOf(fieldsOf(part)["text"]))
    .join("\n");
  return [{ kind: "user", text }];
}

function callsOf({ calls = [] }: Turn) {
  return calls.map(({ name, arguments: input }, index) => ({
    index,
    id: newId("call_"),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function usageOf(conversation: Conversation, turn: Turn) {
  const input = turn.inputTokens ?? Math.ceil(conversation.bytes / 4);
  return { prompt_tokens: input, completion_tokens: 40, total_tokens: input + 40 };
}

const now = (): number => Math.floor(Date.now() / 1000);

export function chatJson(conversation: ChatRequest, turn: Turn): string {
  const calls = callsOf(turn).map(({ id, type, function: called }) => ({
    id,
    type,
    function: called,
  }));
  return JSON.stringify({
    id: newId("chatcmpl-"),
    object: "chat.completion",
    created: now(),
    model: conversation.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: turn.text ?? null,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: usageOf(conversation, turn),
  });
}

export function chatStream(conversation: ChatRequest, turn: Turn): readonly string[] {
  const { model } = conversation;
  const head = { id: newId("chatcmpl-"), object: "chat.completion.chunk", created: now(), model };
  const event = (more: object): string => `data: ${JSON.stringify({ ...head, ...more })}\n\n`;
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const calls = callsOf(turn);
  return [
    chunk({ role: "assistant", content: turn.text === undefined ? null : "" }),
    ...pieces(turn.text ?? "").map((content) => chunk({ content })),
    ...calls.flatMap(({ function: { name, arguments: text }, ...call }) => [
      chunk({ tool_calls: [{ ...call, function: { name, arguments: "" } }] }),
      ...pieces(text).map((part) =>
        chunk({ tool_calls: [{ index: call.index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
    ...(conversation.includeUsage
      ? [event({ choices: [], usage: usageOf(conversation, turn) })]
      : []),
    "data: [DONE]\n\n",
  ];
}
