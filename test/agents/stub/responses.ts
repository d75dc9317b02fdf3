import { fieldsOf, listOf, namedEvent, newId, textOf, type Fields } from "./json.ts";
import { pieces, type Conversation, type Step, type ToolCall, type Turn } from "./script.ts";

/** The responses wire. `before`: the steps behind a `previous_response_id`. */

export function readResponses(body: Fields, bytes: number, before: readonly Step[]): Conversation {
  const input = body["input"];
  const steps =
    typeof input === "string" ? [{ kind: "user" as const, text: input }] : stepsOf(listOf(input));
  return {
    wire: "responses",
    model: textOf(body["model"]),
    stream: body["stream"] === true,
    steps: [...before, ...steps],
    tools: [...listOf(body["tools"]), ...listOf(input).flatMap(toolsOf)].map((tool) => {
      const { name, type } = fieldsOf(tool);
      return textOf(name) || textOf(type);
    }),
    schema: fieldsOf(fieldsOf(body["text"])["format"])["schema"],
    thinks: listOf(body["include"]).includes("reasoning.encrypted_content"),
    bytes,
  };
}

/** Newer agents send their tools as an item of the input. */
function toolsOf(item: unknown): readonly unknown[] {
  return fieldsOf(item)["type"] === "additional_tools" ? listOf(fieldsOf(item)["tools"]) : [];
}

/** What the model made in one go lies side by side in the list: one step. */
function stepsOf(items: readonly unknown[]): readonly Step[] {
  const steps: Step[] = [];
  for (const item of items) {
    const { type = "message", role, content } = fieldsOf(item);
    const ofAssistant =
      role === "assistant" || type === "reasoning" || textOf(type).endsWith("_call");
    if (ofAssistant) {
      if (steps.at(-1)?.kind !== "assistant") steps.push({ kind: "assistant" });
      continue;
    }
    const text = typeof content === "string" ? content : listOf(content).map(textOfPart).join("\n");
    // A tool's output ends what the model made; its text is nobody's mark.
    const speaks = type === "agent_message" || (type === "message" && role === "user");
    steps.push({ kind: "user", text: speaks ? text : "" });
  }
  return steps;
}

/** What one agent tells another is encrypted by the provider; this one leaves it as it is. */
function textOfPart(part: unknown): string {
  const { text, encrypted_content } = fieldsOf(part);
  return textOf(text) || textOf(encrypted_content);
}

type Item = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

function itemsOf(conversation: Conversation, { text, calls = [] }: Turn): readonly Item[] {
  return [
    ...(conversation.thinks
      ? [
          {
            id: newId("rs_", 48),
            type: "reasoning",
            summary: [],
            encrypted_content: newId("gAAAA", 300),
          },
        ]
      : []),
    ...(text === undefined
      ? []
      : [
          {
            id: newId("msg_", 48),
            type: "message",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map(callItem),
  ];
}

function callItem(call: ToolCall): Item {
  const common = { status: "completed", call_id: newId("call_"), name: call.name };
  return call.text === undefined
    ? {
        id: newId("fc_", 48),
        type: "function_call",
        ...common,
        ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
        arguments: JSON.stringify(call.arguments),
      }
    : { id: newId("ctc_", 48), type: "custom_tool_call", ...common, input: call.text };
}

function responseOf(conversation: Conversation, turn: Turn, id: string, output: readonly Item[]) {
  const input_tokens = turn.inputTokens ?? Math.ceil(conversation.bytes / 4);
  return {
    id,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: conversation.model,
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + 40,
    },
  };
}

export function responsesJson(conversation: Conversation, turn: Turn, id: string): string {
  return JSON.stringify(responseOf(conversation, turn, id, itemsOf(conversation, turn)));
}

export function responsesStream(
  conversation: Conversation,
  turn: Turn,
  id: string,
): readonly string[] {
  const output = itemsOf(conversation, turn);
  const response = responseOf(conversation, turn, id, output);
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const events: { type: string; more: object }[] = [
    { type: "response.created", more: { response: begun } },
    { type: "response.in_progress", more: { response: begun } },
    ...output.flatMap((item, output_index) => [
      { type: "response.output_item.added", more: { output_index, item: emptied(item) } },
      ...innerEvents(item).map(({ type, more }) => ({
        type,
        more: { item_id: item.id, output_index, ...more },
      })),
      { type: "response.output_item.done", more: { output_index, item } },
    ]),
    { type: "response.completed", more: { response } },
  ];
  return events.map(({ type, more }, sequence_number) =>
    namedEvent(type, { sequence_number, ...more }),
  );
}

function emptied(item: Item): object {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  if (item.type === "function_call") return { ...item, status: "in_progress", arguments: "" };
  if (item.type === "custom_tool_call") return { ...item, status: "in_progress", input: "" };
  return item;
}

function innerEvents(item: Item): readonly { readonly type: string; readonly more: object }[] {
  if (item.type === "message") {
    const [part] = listOf(item["content"]);
    const text = textOf(fieldsOf(part)["text"]);
    const at = { content_index: 0 };
    return [
      {
        type: "response.content_part.added",
        more: { ...at, part: { ...fieldsOf(part), text: "" } },
      },
      ...pieces(text).map((delta) => ({
        type: "response.output_text.delta",
        more: { ...at, delta, logprobs: [] },
      })),
      { type: "response.output_text.done", more: { ...at, text, logprobs: [] } },
      { type: "response.content_part.done", more: { ...at, part } },
    ];
  }
  if (item.type === "function_call") {
    const text = textOf(item["arguments"]);
    return [
      ...pieces(text).map((delta) => ({
        type: "response.function_call_arguments.delta",
        more: { delta },
      })),
      {
        type: "response.function_call_arguments.done",
        more: { name: item["name"], arguments: text },
      },
    ];
  }
  if (item.type === "custom_tool_call") {
    const input = textOf(item["input"]);
    return [
      ...pieces(input).map((delta) => ({
        type: "response.custom_tool_call_input.delta",
        more: { delta },
      })),
      { type: "response.custom_tool_call_input.done", more: { input } },
    ];
  }
  return [];
}
