import { fieldsOf, listOf, namedEvent, newId, textOf, type Fields } from "./json.ts";
import { pieces, type Conversation, type Step, type Turn } from "./script.ts";

/** The messages wire. `before`: the steps of the thread that a request goes on with. */

export function readMessages(body: Fields, bytes: number, before: readonly Step[]): Conversation {
  return {
    wire: "messages",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    steps: [...before, ...listOf(body["messages"]).flatMap(stepOf)],
    tools: listOf(body["tools"]).map((tool) => textOf(fieldsOf(tool)["name"])),
    schema: fieldsOf(fieldsOf(body["output_config"])["format"])["schema"],
    thinks: !["", "disabled"].includes(textOf(fieldsOf(body["thinking"])["type"])),
    bytes,
  };
}

function stepOf(message: unknown): readonly Step[] {
  const { role, content } = fieldsOf(message);
  if (role === "assistant") return [{ kind: "assistant" }];
  if (typeof content === "string") return [{ kind: "user", text: content }];
  const text = listOf(content)
    .map((block) => textOf(fieldsOf(block)["text"]))
    .join("\n");
  return [{ kind: "user", text }];
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

function blocksOf(conversation: Conversation, { text, calls = [] }: Turn): readonly Block[] {
  return [
    ...(conversation.thinks
      ? [{ type: "thinking", thinking: "A thought.", signature: newId("", 344) }]
      : []),
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ name, arguments: input }) => ({
      type: "tool_use",
      id: newId("toolu_01", 22),
      name,
      input,
    })),
  ];
}

function messageOf(conversation: Conversation, turn: Turn, id: string, content: readonly Block[]) {
  return {
    id,
    type: "message",
    role: "assistant",
    model: conversation.model,
    content,
    stop_reason: (turn.calls ?? []).length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: turn.inputTokens ?? Math.ceil(conversation.bytes / 4),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 40,
      service_tier: "standard",
    },
  };
}

export function messagesJson(conversation: Conversation, turn: Turn, id: string): string {
  return JSON.stringify(messageOf(conversation, turn, id, blocksOf(conversation, turn)));
}

export function messagesStream(
  conversation: Conversation,
  turn: Turn,
  id: string,
): readonly string[] {
  const blocks = blocksOf(conversation, turn);
  const message = messageOf(conversation, turn, id, []);
  const { stop_reason, usage } = message;
  return [
    namedEvent("message_start", {
      message: { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    }),
    namedEvent("ping", {}),
    ...blocks.flatMap((block, index) => [
      namedEvent("content_block_start", { index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => namedEvent("content_block_delta", { index, delta })),
      namedEvent("content_block_stop", { index }),
    ]),
    namedEvent("message_delta", { delta: { stop_reason, stop_sequence: null }, usage }),
    namedEvent("message_stop", {}),
  ];
}

function emptied(block: Block): object {
  if (block.type === "text") return { ...block, text: "" };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  return { ...block, input: {} };
}

function deltasOf(block: Block): readonly object[] {
  if (block.type === "text") {
    return pieces(textOf(block["text"])).map((text) => ({ type: "text_delta", text }));
  }
  if (block.type === "thinking") {
    return [
      { type: "thinking_delta", thinking: block["thinking"] },
      { type: "signature_delta", signature: block["signature"] },
    ];
  }
  return ["", ...pieces(JSON.stringify(block["input"]))].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}
