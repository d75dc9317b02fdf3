/** What the stub's model says: a list of turns a scenario, found by a mark in the user's text. */

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Of a tool that lies in a namespace (Responses alone). */
  readonly namespace?: string;
  /** A custom tool's input, which is text and no JSON (Responses alone). */
  readonly text?: string;
}

export interface Turn {
  readonly text?: string;
  readonly calls?: readonly ToolCall[];
  /** What the answer tells as input tokens; a large number makes an agent compact. */
  readonly inputTokens?: number;
}

/** By name: `scenario:NAME` in the user's text asks for it. */
export type Scenarios = Readonly<Record<string, readonly Turn[]>>;

/** A model request as far as the stub reads it, whatever its wire. */
export interface Conversation {
  readonly wire: "chat" | "messages" | "responses";
  readonly model: string;
  readonly stream: boolean;
  /** In order; texts of tools are left out. */
  readonly steps: readonly Step[];
  readonly tools: readonly string[];
  /** A JSON schema that the answer has to follow. */
  readonly schema: unknown;
  readonly thinks: boolean;
  readonly bytes: number;
}

export type Step =
  { readonly kind: "user"; readonly text: string } | { readonly kind: "assistant" };

const afterTheEnd: Turn = { text: "All of it is done." };
const withoutScenario: Turn = { text: "A short answer." };

/** The turn that comes next: as many as the assistant has had since the last mark lie behind it. */
export function nextTurn(conversation: Conversation, scenarios: Scenarios): Turn {
  const { steps } = conversation;
  if (conversation.schema !== undefined) return { text: exampleOf(conversation.schema) };
  // A title, or a summary, is asked for without tools; so is a thread that goes on.
  if (conversation.tools.length === 0 && !steps.some(({ kind }) => kind === "assistant")) {
    return withoutScenario;
  }
  let name: string | undefined;
  let had = 0;
  for (const step of steps) {
    if (step.kind === "assistant") {
      had += 1;
      continue;
    }
    const last = [...step.text.matchAll(/scenario:([a-z]+)/g)].at(-1)?.[1];
    if (last !== undefined) {
      name = last;
      had = 0;
    }
  }
  const turns = name === undefined ? undefined : scenarios[name];
  if (turns === undefined) return withoutScenario;
  return turns[had] ?? afterTheEnd;
}

/** The smallest JSON that a schema of objects, strings, numbers and lists takes. */
function exampleOf(schema: unknown): string {
  return JSON.stringify(example(schema, 0));
}

function example(schema: unknown, depth: number): unknown {
  if (typeof schema !== "object" || schema === null || depth > 8) return "A short text";
  const { type, properties, enum: values } = schema as Readonly<Record<string, unknown>>;
  if (Array.isArray(values)) return values[0] as unknown;
  if (typeof properties === "object" && properties !== null) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, example(inner, depth + 1)]),
    );
  }
  if (type === "array") return [];
  if (type === "object") return {};
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 1;
  return "A short text";
}

/** Text in pieces, as models stream it. */
export function pieces(text: string, length = 24): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += length) parts.push(text.slice(at, at + length));
  return parts;
}
