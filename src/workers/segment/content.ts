import type { Segment } from "../../contract/scan.ts";
import { walkMedia } from "./media.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** Block type → the member that holds its medium. All wires' types are known on all. */
const mediumOf: ReadonlyMap<string, string> = new Map([
  ["image_url", "image_url"],
  ["video_url", "video_url"],
  ["audio_url", "audio_url"],
  ["input_audio", "input_audio"],
  ["file", "file"],
  ["image", "source"],
  ["document", "source"],
  ["input_image", "image_url"],
  ["input_file", "file_data"],
]);

/** Block type → the member that only the provider can read. */
const opaqueOf: ReadonlyMap<string, string> = new Map([
  ["thinking", "signature"],
  ["redacted_thinking", "data"],
]);

/** Blocks of a tool's content that hold text in themselves or in blocks of their own. */
const textBlocks = new Set(["text", "input_text", "output_text", "search_result"]);

/** What no model reads, in any block. */
const parameters = new Set(["type", "id", "tool_use_id", "is_error", "cache_control"]);

/**
 * Blocks of a message, and blocks of a tool result among them. Each level is read ahead, so what
 * nests deeper is read as plain JSON, or a body of nested blocks would cost its depth times its size.
 */
const levelsMax = 2;

/**
 * The content at the cursor, which `member` of the object at `place` holds: a string or blocks. A
 * tool's structured content without a block of text is one leaf, its JSON text.
 */
export function walkContent(
  walk: Walk,
  place: Place,
  member: Place,
  segment: Segment | null,
  level = 1,
): void {
  const type = walk.reader.type();
  if (type !== "array" && type !== "object") return walk.all(place.own(member), segment);
  if (level > levelsMax) return walk.all(member, segment);
  if (segment === "tool" && isStructured(walk)) return walk.serialized(place.own(member), segment);
  if (type === "object") return walkBlock(walk, member, segment, level);
  walk.items((index) => walkBlock(walk, place.block(member, index), segment, level));
}

/** The block at the cursor: a string, or an object with a `type`. */
function walkBlock(outer: Walk, place: Place, segment: Segment | null, level: number): void {
  if (outer.reader.type() !== "object") return outer.all(place, segment);
  const types = outer.namesOf("type");
  if (types.some(isToolResult)) return walkToolResult(outer, place, level);
  const walk = isSigned(outer, types) ? outer.signed() : outer;
  const isToolUse = types.some((name) => name === "tool_use" || name.endsWith("_tool_use"));
  // Of two types the provider may read either: then nothing in the block is passed over.
  const type = types.length === 1 ? (types[0] ?? "") : "";
  walk.members(place, (member, key) => {
    if (key === "text" && walk.reader.type() === "string") walk.all(place.own(member), segment);
    else if (key === "input" && isToolUse) walk.input(member, segment);
    else if (key === mediumOf.get(type)) walkMedia(walk, member, segment);
    else if (key === opaqueOf.get(type) || parameters.has(key)) walk.unscanned(member);
    else walk.all(member, segment);
  });
}

/** Tool results are the tool's text, whoever's message they are in. */
function walkToolResult(walk: Walk, place: Place, level: number): void {
  walk.members(place, (member, key) => {
    if (key === "content") walkContent(walk, place, member, "tool", level + 1);
    else if (parameters.has(key)) walk.unscanned(member);
    else walk.all(member, "tool");
  });
}

/** An empty signature is that of nobody. */
function isSigned(walk: Walk, types: readonly string[]): boolean {
  return types.some((type) => opaqueOf.get(type) === "signature") && walk.hasText("signature");
}

function isToolResult(type: string): boolean {
  return type === "tool_result" || type.endsWith("_tool_result");
}

/** An object or a list that is not made of blocks which this file can read: no text, no medium. */
function isStructured(walk: Walk): boolean {
  const ahead = walk.ahead();
  if (ahead.reader.type() === "object") return !isReadableBlock(ahead);
  let items = 0;
  let readable = 0;
  ahead.items(() => {
    items++;
    if (isReadableBlock(ahead)) readable++;
    ahead.reader.skip();
  });
  return items > 0 && readable === 0;
}

function isReadableBlock(walk: Walk): boolean {
  const type = walk.reader.type();
  if (type === "string") return true;
  if (type !== "object") return false;
  return walk.namesOf("type").some((name) => textBlocks.has(name) || mediumOf.has(name));
}
