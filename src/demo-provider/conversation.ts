import { isPlainObject, type PlainObject } from "../contract/plain-object.ts";

/** The parts of the messages that the provider reads, for both wires. */
export interface Conversation {
  /** The text of the last user message that has text; otherwise empty. */
  readonly userText: string;
  /** The text of the tool result in the last message; null if it has none. */
  readonly toolResultText: string | null;
  /** UTF-16 units of all text in the messages. */
  readonly textLength: number;
  readonly messageCount: number;
}

/** Reads messages leniently. Messages without text to echo are skipped. */
export function readConversation(messages: readonly unknown[]): Conversation {
  let userText = "";
  let toolResultText: string | null = null;
  let textLength = 0;
  for (const message of messages) {
    if (!isPlainObject(message)) continue;
    const text = textOf(message["content"]);
    toolResultText = toolResultOf(message, text);
    textLength += text.length + (message["role"] === "user" ? (toolResultText?.length ?? 0) : 0);
    if (message["role"] === "user" && text !== "") userText = text;
  }
  return { userText, toolResultText, textLength, messageCount: messages.length };
}

/** The text of a `content` or `system` member: a string, or parts of type `text`. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const part of content) {
    if (isPlainObject(part) && textTypes.has(part["type"]) && typeof part["text"] === "string") {
      text += part["text"];
    }
  }
  return text;
}

const textTypes: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text"]);

/** Responses: an item of a tool's output. Chat: a message of role `tool`. Messages: a `tool_result` block in a user message. */
function toolResultOf(message: PlainObject, text: string): string | null {
  if (message["role"] === "tool") return text;
  if (message["type"] === "function_call_output") return textOf(message["output"]);
  const content = message["content"];
  if (message["role"] !== "user" || !Array.isArray(content)) return null;
  let result: string | null = null;
  for (const block of content) {
    if (isPlainObject(block) && block["type"] === "tool_result") {
      result = (result ?? "") + textOf(block["content"]);
    }
  }
  return result;
}
