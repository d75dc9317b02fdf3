import { usageReport, type AnsweredUsage } from "../../billing/usage.ts";
import type { PlainObject } from "../../contract/plain-object.ts";
import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import { JsonReader } from "../../json/reader.ts";

/** The usage of a JSON answer that is buffered whole. An answer that is not JSON has none. */
export function readJsonAnswerUsage(wire: Wire, bytes: Uint8Array): UsageReport {
  return usageReport(wire, false, readAnswer(wire, bytes));
}

export const noAnswer: AnsweredUsage = { usage: undefined, serviceTier: null, costText: null };

/**
 * The usage that an answer, or one event of a stream, reports. The answer is not parsed, only its usage
 * object is. Providers' bytes are not validated, so the reader may fail; then there is no usage.
 */
export function readAnswer(wire: Wire, bytes: Uint8Array): AnsweredUsage {
  try {
    const reader = new JsonReader(bytes);
    if (reader.type() !== "object") return noAnswer;
    return readMembers(wire, reader);
  } catch {
    return noAnswer;
  }
}

/** Members that may contain the usage object: in `message_start`, and in Groq's streams. */
const wrappers: Readonly<Record<Wire, string>> = {
  chat: "x_groq",
  messages: "message",
  responses: "response",
  embeddings: "",
};

/** All members that are read for the usage; `usage` is read whole. */
export const usageMembers: readonly string[] = [
  ...Object.values(wrappers).filter((name) => name !== ""),
  "choices",
  "output",
  "service_tier",
  "type",
  "usage",
];

function readMembers(wire: Wire, reader: JsonReader): AnsweredUsage {
  let found = noAnswer;
  let inner = noAnswer;
  let serviceTier: string | null = null;
  let toolCalls = 0;
  reader.enter();
  while (reader.nextMember()) {
    const type = reader.type();
    if (type === "object" && keyIs(reader, "usage")) {
      reader.skip();
      found = readUsage(reader);
    } else if (type === "object" && keyIs(reader, wrappers[wire])) {
      inner = readMembers(wire, reader);
    } else if (type === "array" && wire === "responses" && keyIs(reader, "output")) {
      toolCalls = billedCalls(reader);
    } else if (type === "array" && wire === "chat" && keyIs(reader, "choices")) {
      const first = readFirst(wire, reader);
      if (first.usage !== undefined) inner = first;
    } else {
      const isTier = type === "string" && keyIs(reader, "service_tier");
      reader.skip();
      if (isTier) serviceTier = text(reader, reader.start + 1, reader.end - 1);
    }
  }
  const usage = found.usage === undefined ? inner : found;
  const calls = toolCalls === 0 ? {} : { toolCalls };
  return { ...usage, ...calls, serviceTier: serviceTier ?? usage.serviceTier };
}

/** Items of a response's output for which the provider has a fee. */
const billedItems: ReadonlySet<string> = new Set(["web_search_call", "file_search_call"]);

function billedCalls(reader: JsonReader): number {
  let calls = 0;
  reader.enter();
  while (reader.nextItem()) {
    if (reader.type() !== "object") {
      reader.skip();
      continue;
    }
    let isBilled = false;
    reader.enter();
    while (reader.nextMember()) {
      const isType = reader.type() === "string" && keyIs(reader, "type");
      reader.skip();
      if (isType) isBilled = billedItems.has(text(reader, reader.start + 1, reader.end - 1));
    }
    if (isBilled) calls++;
  }
  return calls;
}

/** Moonshot's streams report the usage in the first choice. */
function readFirst(wire: Wire, reader: JsonReader): AnsweredUsage {
  let first = noAnswer;
  let items = 0;
  reader.enter();
  while (reader.nextItem()) {
    items += 1;
    if (items === 1 && reader.type() === "object") first = readMembers(wire, reader);
    else reader.skip();
  }
  return first;
}

/** Reads the object that the reader has passed. */
function readUsage(reader: JsonReader): AnsweredUsage {
  const { bytes, start, end } = reader;
  const value: unknown = JSON.parse(text(reader, start, end));
  // The reader has checked that this is an object.
  const usage = value as PlainObject;
  return { usage, serviceTier: null, costText: "cost" in usage ? costText(bytes, start) : null };
}

/** `usage.cost`, or Perplexity's `usage.cost.total_cost`, as text: a double would lose digits. */
function costText(bytes: Uint8Array, start: number): string | null {
  const reader = new JsonReader(bytes, start);
  let cost: string | null = null;
  reader.enter();
  while (reader.nextMember()) {
    const isCost = keyIs(reader, "cost");
    if (isCost && reader.type() === "object") {
      cost = memberText(reader, "total_cost");
    } else {
      reader.skip();
      if (isCost) cost = text(reader, reader.start, reader.end);
    }
  }
  return cost;
}

function memberText(reader: JsonReader, name: string): string | null {
  let found: string | null = null;
  reader.enter();
  while (reader.nextMember()) {
    const isIt = keyIs(reader, name);
    reader.skip();
    if (isIt) found = text(reader, reader.start, reader.end);
  }
  return found;
}

/** Providers spell their keys without escapes. */
function keyIs({ bytes, keyStart, keyEnd }: JsonReader, name: string): boolean {
  if (keyEnd - keyStart !== name.length) return false;
  for (let i = 0; i < name.length; i++) {
    if (bytes[keyStart + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

function text({ view }: JsonReader, start: number, end: number): string {
  return view.toString("utf8", start, end);
}
