import type { JsonReader } from "../json/reader.ts";
import { foldCase } from "../json/fold-case.ts";
import { decodeString } from "../json/string.ts";

/** What messages hold, as far as it bears on their cost. Filled while they are read. */
export interface ContentTraits {
  messages: number;
  /** Something whose tokens can't be told from its bytes. */
  media: boolean;
  audio: boolean;
  /** null: not asked for. */
  cacheWrites: "5m" | "1h" | null;
}

/** Parts that are text, or JSON that the model reads as text. */
const textParts: ReadonlySet<string> = new Set([
  "text",
  "input_text",
  "output_text",
  "refusal",
  "thinking",
  "redacted_thinking",
  "reasoning",
  "tool_use",
  "tool_result",
  "server_tool_use",
  "search_result",
]);
const audioParts: ReadonlySet<string> = new Set(["input_audio", "audio", "audio_url"]);
/** Members that hold a medium, whatever the part calls itself. */
const mediaMembers: ReadonlySet<string> = new Set([
  "file",
  "file_id",
  "image",
  "image_url",
  "input_audio",
  "video_url",
]);
/** Lists and objects of a message that are text. */
const textMembers: ReadonlySet<string> = new Set([
  "annotations",
  "function_call",
  "reasoning_details",
  "tool_calls",
]);

/** Reads the value of `messages`. */
export function readMessages(reader: JsonReader, traits: ContentTraits): void {
  if (reader.type() !== "array") return reader.skip();
  reader.enter();
  while (reader.nextItem()) {
    traits.messages++;
    if (reader.type() === "object") readMessage(reader, traits);
    else reader.skip();
  }
}

function readMessage(reader: JsonReader, traits: ContentTraits): void {
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    const type = reader.type();
    if (key === "content") readParts(reader, traits);
    else if (key === "cache_control") readCacheControl(reader, traits);
    else {
      if (type === "object" || type === "array") {
        // What the model said in an earlier answer is named by an id.
        if (key === "audio") traits.audio = true;
        else if (!textMembers.has(key)) traits.media = true;
      }
      reader.skip();
    }
  }
}

/** Reads content: a string, one part or a list of parts. */
export function readParts(reader: JsonReader, traits: ContentTraits): void {
  const type = reader.type();
  if (type === "object") return readPart(reader, traits);
  if (type !== "array") return reader.skip();
  reader.enter();
  while (reader.nextItem()) {
    if (reader.type() === "object") readPart(reader, traits);
    else reader.skip();
  }
}

/** A part of a type that is not known to be text, or of none, is a medium. */
function readPart(reader: JsonReader, traits: ContentTraits): void {
  let isText = false;
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    if (key === "cache_control") readCacheControl(reader, traits);
    else if (key === "content") readParts(reader, traits);
    else {
      const type = reader.type();
      reader.skip();
      if (mediaMembers.has(key) || (key === "source" && type === "object")) traits.media = true;
      if (key !== "type" || type !== "string") continue;
      const partType = decodeString(reader.bytes, reader.start + 1, reader.end - 1);
      if (textParts.has(partType)) isText = true;
      else if (audioParts.has(partType)) traits.audio = true;
      else traits.media = true;
    }
  }
  if (!isText) traits.media = true;
}

/** `{"type": "ephemeral", "ttl": "1h"}`; a value that is not known may be the longer one. */
export function readCacheControl(reader: JsonReader, traits: ContentTraits): void {
  const type = reader.type();
  if (type === "null") return reader.skip();
  traits.cacheWrites ??= "5m";
  if (type !== "object") return reader.skip();
  reader.enter();
  while (reader.nextMember()) {
    const isTtl = keyOf(reader) === "ttl";
    const type = reader.type();
    reader.skip();
    if (!isTtl || type === "null") continue;
    const isShort =
      type === "string" && decodeString(reader.bytes, reader.start + 1, reader.end - 1) === "5m";
    if (!isShort) traits.cacheWrites = "1h";
  }
}

/** As providers read it that take names in any case; for the others it makes a request dearer only. */
export function keyOf({ bytes, keyStart, keyEnd }: JsonReader): string {
  return foldCase(decodeString(bytes, keyStart, keyEnd));
}
