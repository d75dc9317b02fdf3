import { isAscii } from "node:buffer";
import type { Wire } from "../../contract/wire.ts";
import * as ascii from "../../json/ascii.ts";
import type { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import { keyOf, readCacheControl, type ContentTraits } from "./cost-bounds-content.ts";

/** The properties of tool definitions that determine the cost of their use. Filled while they are read. */
export interface ToolTraits {
  count: number;
  /** The maximum number of calls of tools that the provider runs. */
  calls: number;
  /** True if one of the tools has a fee for each use. */
  billed: boolean;
  /** True if one of the tools has no cap, or is billed by something other than its uses. */
  unbounded: boolean;
  /** True if one of the tools is bounded only by a cap of the whole request. */
  needsCap: boolean;
  /** Bytes of descriptions that keep their length when a definition is rewritten. */
  proseBytes: number;
}

/** Tools that the caller runs. */
const callersTool: Readonly<Record<Wire, RegExp>> = {
  chat: /^(function|custom)$/,
  embeddings: /^$/,
  responses:
    /^(function|custom|namespace|local_shell|apply_patch|computer|computer_use|computer_use_preview)$/,
  messages: /^(custom|function|(bash|computer|memory|text_editor)_\d+)$/,
};
/** The provider runs them without a fee. What they bring in is billed as input. */
const toolWithoutFee = /^web_fetch_\d+$/;
/** The provider runs them and bills each use. */
const toolWithFee = /^web_search_\d+$/;
/** The same on the responses wire, where a request has one cap for all of them, `max_tool_calls`. */
const responsesToolWithFee = /^(web_search|web_search_preview|file_search)(_\d{4}_\d\d_\d\d)?$/;

/** Reads the value of `tools` or of `functions`. */
export function readTools(
  wire: Wire,
  reader: JsonReader,
  content: ContentTraits,
  traits: ToolTraits,
): void {
  if (reader.type() !== "array") return reader.skip();
  reader.enter();
  while (reader.nextItem()) {
    traits.count++;
    if (reader.type() !== "object") {
      reader.skip();
      continue;
    }
    const { types, usesMax } = readTool(reader, content, traits);
    // If the type stands twice, a provider may read either one.
    for (const type of types) {
      if (callersTool[wire].test(type)) continue;
      if (wire === "responses" && responsesToolWithFee.test(type)) {
        traits.billed = true;
        traits.needsCap = true;
        continue;
      }
      const withFee = toolWithFee.test(type);
      traits.billed ||= withFee;
      if (usesMax === null || (!withFee && !toolWithoutFee.test(type))) traits.unbounded = true;
      else traits.calls += usesMax;
    }
  }
}

interface Tool {
  readonly types: readonly string[];
  /** null if there is no cap, or one that some providers may not read. */
  readonly usesMax: number | null;
}

function readTool(reader: JsonReader, content: ContentTraits, traits: ToolTraits): Tool {
  const types: string[] = [];
  const caps: (number | null)[] = [];
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    const { bytes, keyStart, keyEnd } = reader;
    if (key === "cache_control") {
      readCacheControl(reader, content);
      continue;
    }
    const valueType = reader.type();
    if (valueType === "object" && definitions.has(key)) {
      traits.proseBytes += readDefinition(reader);
      continue;
    }
    reader.skip();
    if (key === "description") traits.proseBytes += proseBytes(reader);
    const { start, end } = reader;
    if (key === "type" && valueType === "string")
      types.push(decodeString(bytes, start + 1, end - 1));
    if (key !== "max_uses") continue;
    const isExact = decodeString(bytes, keyStart, keyEnd) === key;
    caps.push(isExact && valueType === "number" ? usesOf(bytes, start, end) : null);
  }
  return { types, usesMax: largestOf(caps) };
}

/** Where a chat tool's name and description stand. */
const definitions: ReadonlySet<string> = new Set(["function", "custom"]);

function readDefinition(reader: JsonReader): number {
  let prose = 0;
  reader.enter();
  while (reader.nextMember()) {
    const isDescription = keyOf(reader) === "description";
    reader.skip();
    if (isDescription) prose += proseBytes(reader);
  }
  return prose;
}

/**
 * The prose bytes of the string that was skipped last. Another notation may escape characters that are not
 * ASCII, and escape existing escapes once more. It does not indent prose.
 */
function proseBytes({ bytes, view, start, end }: JsonReader): number {
  const text = view.subarray(start + 1, end - 1);
  if (bytes[start] !== ascii.quote || !isAscii(text)) return 0;
  let escapes = 0;
  let at = text.indexOf(ascii.backslash);
  while (at !== -1) {
    escapes++;
    at = text.indexOf(ascii.backslash, at + 2);
  }
  return text.length - escapes * 2;
}

/**
 * The bytes of the definitions that `references` name. A definition counts as often as it is named. undefined
 * if a reference names no tool in the list.
 */
export function referencedBytes(
  reader: JsonReader,
  references: readonly string[],
): number | undefined {
  const bytesOf = new Map<string, number>();
  if (reader.type() !== "array") return undefined;
  reader.enter();
  while (reader.nextItem()) {
    if (reader.type() !== "object") {
      reader.skip();
      continue;
    }
    const names = new Set<string>();
    const from = reader.at;
    reader.enter();
    while (reader.nextMember()) {
      const isName = keyOf(reader) === "name" && reader.type() === "string";
      reader.skip();
      if (isName) names.add(decodeString(reader.bytes, reader.start + 1, reader.end - 1));
    }
    for (const name of names) {
      bytesOf.set(name, Math.max(bytesOf.get(name) ?? 0, reader.at - from));
    }
  }
  let sum = 0;
  for (const name of references) {
    const bytes = bytesOf.get(name);
    if (bytes === undefined) return undefined;
    sum += bytes;
  }
  return sum;
}

/** null if there are no caps, or if one of them bounds nothing. */
function largestOf(caps: readonly (number | null)[]): number | null {
  let largest: number | null = null;
  for (const cap of caps) {
    if (cap === null) return null;
    largest = Math.max(largest ?? 0, cap);
  }
  return largest;
}

/** A larger cap bounds nothing in practice. */
const usesMaxCeiling = 10_000;

function usesOf(bytes: Uint8Array, start: number, end: number): number | null {
  const uses = Number(Buffer.from(bytes.subarray(start, end)).toString("latin1"));
  return Number.isInteger(uses) && uses >= 0 && uses <= usesMaxCeiling ? uses : null;
}
