import type { Wire } from "../contract/wire.ts";
import type { JsonReader } from "../json/reader.ts";
import { decodeString } from "../json/string.ts";
import { keyOf, readCacheControl, type ContentTraits } from "./cost-bounds-content.ts";

/** What tool definitions say about the cost of using them. Filled while they are read. */
export interface ToolTraits {
  count: number;
  /** How often tools that the provider runs may be called. */
  calls: number;
  /** One of them has a fee for each use. */
  billed: boolean;
  /** One of them has no cap, or is billed by something else than its uses. */
  unbounded: boolean;
}

/** Tools that the caller runs. */
const callersTool: Readonly<Record<Wire, RegExp>> = {
  chat: /^(function|custom)$/,
  messages: /^(custom|function|(bash|computer|memory|text_editor)_\d+)$/,
};
/** Run by the provider without a fee; what they bring in is billed as input. */
const toolWithoutFee = /^web_fetch_\d+$/;
/** Run by the provider and billed by the use. */
const toolWithFee = /^web_search_\d+$/;

/** Reads the value of `tools` or of `functions`. */
export function readTools(
  wire: Wire,
  reader: JsonReader,
  content: ContentTraits,
  traits: ToolTraits,
): void {
  if (reader.type() !== "array") return;
  reader.enter();
  while (reader.nextItem()) {
    traits.count++;
    if (reader.type() !== "object") {
      reader.skip();
      continue;
    }
    const { type, usesMax } = readTool(reader, content);
    if (type === null || callersTool[wire].test(type)) continue;
    const withFee = toolWithFee.test(type);
    traits.billed ||= withFee;
    if (usesMax === null || (!withFee && !toolWithoutFee.test(type))) traits.unbounded = true;
    else traits.calls += usesMax;
  }
}

function readTool(
  reader: JsonReader,
  traits: ContentTraits,
): { readonly type: string | null; readonly usesMax: number | null } {
  let type: string | null = null;
  let usesMax: number | null = null;
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    if (key === "cache_control") {
      readCacheControl(reader, traits);
      continue;
    }
    const valueType = reader.type();
    reader.skip();
    const { bytes, start, end } = reader;
    if (key === "type" && valueType === "string") type = decodeString(bytes, start + 1, end - 1);
    if (key === "max_uses" && valueType === "number") usesMax = usesOf(bytes, start, end);
  }
  return { type, usesMax };
}

/** More uses than anyone means bound nothing. */
const usesMaxCeiling = 10_000;

function usesOf(bytes: Uint8Array, start: number, end: number): number | null {
  const uses = Number(Buffer.from(bytes.subarray(start, end)).toString("latin1"));
  return Number.isInteger(uses) && uses >= 0 && uses <= usesMaxCeiling ? uses : null;
}
