import { isPlainObject, type PlainObject } from "../contract/plain-object.ts";
import type { Wire } from "../contract/wire.ts";
import { fail, succeed, type Result } from "./provider-error.ts";
import { cutText } from "./token-text.ts";

/** The call that a request asks for. */
export interface ToolCall {
  readonly name: string;
  /** JSON object that fits the tool's schema. */
  readonly argumentsJson: string;
}

interface OfferedTool {
  readonly name: string;
  readonly schema: unknown;
}

/** `auto` calls a tool if the user's text mentions one. */
type ToolChoice =
  { readonly kind: "none" | "auto" | "any" } | { readonly kind: "named"; readonly name: string };

const schemaDepthMax = 8;
const argumentCharsMax = 256;

/**
 * The tool call that answers a request, or null if the answer is text. `always`: the model calls a
 * tool whenever one is offered. Error: a choice of a tool that was not offered.
 */
export function chooseToolCall(
  wire: Wire,
  fields: PlainObject,
  userText: string,
  always: boolean,
): Result<ToolCall | null> {
  const tools = offeredTools(wire, fields["tools"]);
  const choice = toolChoice(wire, fields["tool_choice"]);
  if (choice.kind === "none") return succeed(null);
  if (choice.kind === "auto" && !always && !/\btools?\b/i.test(userText)) return succeed(null);
  const tool =
    choice.kind === "named" ? tools.find((offered) => offered.name === choice.name) : tools[0];
  if (tool !== undefined) {
    const argumentsJson = JSON.stringify(sample(tool.schema, userText, 0) ?? {});
    return succeed({ name: tool.name, argumentsJson });
  }
  if (choice.kind === "auto") return succeed(null);
  return fail("invalid_request", "tool_choice asks for a tool that tools does not offer.");
}

function offeredTools(wire: Wire, tools: unknown): readonly OfferedTool[] {
  if (!Array.isArray(tools)) return [];
  const offered: OfferedTool[] = [];
  for (const tool of tools) {
    // Custom and server tools have no schema, and nothing here could run them.
    const definition: unknown = wire === "chat" && isPlainObject(tool) ? tool["function"] : tool;
    if (!isPlainObject(definition) || typeof definition["name"] !== "string") continue;
    const schema = definition[wire === "messages" ? "input_schema" : "parameters"];
    if (wire === "responses" && definition["type"] !== "function") continue;
    if (wire !== "messages" || isPlainObject(schema))
      offered.push({ name: definition["name"], schema });
  }
  return offered;
}

function toolChoice(wire: Wire, choice: unknown): ToolChoice {
  const kind = isPlainObject(choice) ? choice["type"] : choice;
  if (kind === "none") return { kind: "none" };
  if (kind === "required" || kind === "any") return { kind: "any" };
  const named = wire === "chat" && isPlainObject(choice) ? choice["function"] : choice;
  if (isPlainObject(named) && typeof named["name"] === "string") {
    return { kind: "named", name: named["name"] };
  }
  return { kind: "auto" };
}

/** A value that the schema allows, with the user's text in place of strings. */
function sample(schema: unknown, text: string, depth: number): unknown {
  if (!isPlainObject(schema) || depth > schemaDepthMax) return null;
  if ("const" in schema) return schema["const"];
  const allowed = schema["enum"] ?? schema["examples"];
  if (Array.isArray(allowed) && allowed.length > 0) return allowed[0];
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(variants)) return sample(variants[0], text, depth + 1);
  const type: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "string") return cutText(text, argumentCharsMax);
  if (type === "number" || type === "integer") return schema["minimum"] ?? 1;
  if (type === "boolean") return true;
  if (type === "array") return [sample(schema["items"], text, depth + 1)];
  const properties = schema["properties"];
  if (!isPlainObject(properties)) return type === "object" ? {} : null;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sample(property, text, depth + 1)]),
  );
}
