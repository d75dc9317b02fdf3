import type { DetectionLocation } from "../../../src/contract/scan.ts";

/**
 * The string that a location leads to in a submitted object, as a client would find it (spec:
 * DetectionLocation): without `path` the object so named if it is a string, else the content of a
 * message or tool result, else the text of a block.
 */
export function stringAt(submitted: unknown, location: DetectionLocation): string {
  const { source, index, part, inner_part, path = [], content_serialized } = location;
  let at = source === "request" ? submitted : member(submitted, source);
  if (index !== undefined) at = item(at, index);
  if (part !== undefined) at = item(source === "system" ? at : member(at, "content"), part);
  if (inner_part !== undefined) at = item(member(at, "content"), inner_part);
  for (const step of path) at = typeof step === "number" ? item(at, step) : member(at, step);
  if (content_serialized === true) return JSON.stringify(isObject(at) ? content(at) : at);
  if (typeof at === "string") return at;
  const text = content(at);
  if (typeof text !== "string") throw new Error(`no string at ${JSON.stringify(location)}`);
  return text;
}

function content(object: unknown): unknown {
  if (!isObject(object)) return object;
  return object["content"] ?? object["text"] ?? object;
}

function item(array: unknown, index: number): unknown {
  if (!Array.isArray(array)) throw new Error("not an array");
  return array[index] as unknown;
}

function member(object: unknown, name: string): unknown {
  if (!isObject(object)) throw new Error(`no object to take ${name} from`);
  return object[name];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
