import type { Segment } from "../../contract/scan.ts";
import { isKnownBlock, isToolResult, isToolUse, mediumOf, membersOfBlock } from "./blocks.ts";
import { walkMember } from "./known.ts";
import { walkMedia } from "./media.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** Blocks that have a signature. */
const signedBlocks = new Set(["thinking"]);

/**
 * The levels of blocks: those of a message, and those of a tool result inside it. Each level is read
 * ahead. So deeper levels are read as plain JSON; otherwise a body of nested blocks would cost its
 * depth times its size.
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
  const walk = isSigned(outer, types) ? outer.signed() : outer;
  // If a block has two types, the provider may read either. Then nothing in the block is skipped.
  const type = types.length === 1 ? (types[0] ?? "") : "";
  // Tool results are the tool's text in every message, and so are search results.
  const isTools = types.some((name) => isToolResult(name) || name === "search_result");
  const owner = isTools ? "tool" : segment;
  const isCall = types.some(isToolUse);
  const members = membersOfBlock(type);
  walk.members(place, (member, key) => {
    if (key === "text" && walk.reader.type() === "string") walk.all(place.own(member), owner);
    else if (key === "content" && isTools) {
      // The results of the provider's own tools may be signed.
      const results = type === "tool_result" ? walk.results() : walk;
      walkContent(results, place, member, "tool", level + 1);
    } else if (key === "content" && type === "web_fetch_result" && level <= levelsMax)
      walkBlock(walk, member, owner, level + 1);
    else if (key === "content" && type === "compaction") walk.all(member, owner);
    else if (key === "input" && isCall) walk.input(member, owner);
    else if (key === mediumOf.get(type)) walkMedia(walk, member, owner);
    else walkMember(walk, member, key, members, owner);
  });
}

/** An empty signature does not count. */
function isSigned(walk: Walk, types: readonly string[]): boolean {
  return types.some((type) => signedBlocks.has(type)) && walk.hasText("signature");
}

/** Whether the value is an object or a list without blocks that this file can read. */
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
  return type === "object" && walk.namesOf("type").some(isKnownBlock);
}
