import type { DetectionLocation } from "../../contract/scan.ts";
import type { WorstLeaf } from "../pool/scan-job.ts";
import { knownNames } from "../segment/known-names.ts";
import type { ScoredLeaf } from "../segment/text-joiner.ts";

/** A longer body is not parsed to find the name of a tool. */
const parsedBytesMax = 8 * 1024 * 1024;

/** The place and kind of a request's worst text. `bytes`: the request, JSON or not. */
export function worstLeaf(leaf: ScoredLeaf, bytes: Buffer): WorstLeaf {
  const location = leaf.place.location(bytes, leaf.form === "serialized");
  return {
    location,
    label: leaf.place.label(bytes, knownNames),
    segment: leaf.segment === "user" ? "user" : "tool",
    subject: subjectOf(leaf, location, bytes),
  };
}

/**
 * The subject of a refusal's message. It contains neither the text nor any name except a tool's.
 */
function subjectOf(leaf: ScoredLeaf, location: DetectionLocation, bytes: Buffer): string {
  const { source, index, path = [] } = location;
  if (source === "tools") return "a tool's definition";
  const [first, item] = path;
  const at = source === "messages" ? index : first === "input" ? item : undefined;
  const where = typeof at === "number" ? `message ${at + 1}` : "the request";
  if (leaf.segment === "harness")
    return `what the client added to ${where} (a file, a page, or output)`;
  if (leaf.segment === "user") return `the user's text in ${where}`;
  if (leaf.isResult !== true) return `data in ${where}`;
  const tool = bytes.length > parsedBytesMax ? null : toolOf(location, bytes);
  return tool === null
    ? `a tool's result in ${where}`
    : `the result of the tool ${tool} in ${where}`;
}

/** The tool of the result at the location; null: not found, or its name is invalid. */
function toolOf({ index, part, path = [] }: DetectionLocation, bytes: Buffer): string | null {
  const request: unknown = JSON.parse(bytes.toString("utf8"));
  const items = list(member(request, index === undefined ? "input" : "messages"));
  const at = index ?? path[1];
  const item = typeof at === "number" ? items[at] : undefined;
  const block = part === undefined ? undefined : list(member(item, "content"))[part];
  const id =
    member(block, "tool_use_id") ?? member(item, "tool_call_id") ?? member(item, "call_id");
  if (typeof id !== "string") return null;
  const calls = items.flatMap((other) => [
    other,
    ...list(member(other, "content")),
    ...list(member(other, "tool_calls")),
  ]);
  const call = calls.find(
    (other) => other !== item && (member(other, "id") === id || member(other, "call_id") === id),
  );
  const name = member(call, "name") ?? member(member(call, "function"), "name");
  return typeof name === "string" && /^[\w.:-]{1,64}$/.test(name) ? name : null;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
