import type { JsonReader } from "../../json/reader.ts";
import { foldCase } from "../../json/fold-case.ts";
import { decodeString } from "../../json/string.ts";
import { isTextBlock } from "../../workers/segment/blocks.ts";
import type { Members } from "../../workers/segment/known.ts";
import { answer } from "../../workers/segment/messages.ts";

/** The properties of messages that determine their cost. Filled while the messages are read. */
export interface ContentTraits {
  messages: number;
  /** True if there is a part whose tokens can't be told from its bytes. */
  media: boolean;
  audio: boolean;
  /** null if no cache write was asked for. */
  cacheWrites: "5m" | "1h" | null;
  /**
   * Tools named in the messages, whose definitions the provider shows to the model at that place; null if
   * none.
   */
  toolReferences: string[] | null;
}

const audioParts: ReadonlySet<string> = new Set(["input_audio", "audio", "audio_url"]);
/** Members that hold a medium, or name one that the provider stores, at any depth. */
const mediaMembers: ReadonlySet<string> = new Set([
  "file",
  "file_id",
  "file_url",
  "image",
  "image_url",
  "input_audio",
  "video_url",
]);
/**
 * Providers put these members into their answers, and clients send them back. The scan's own table of message
 * members (workers/segment/messages.ts) lacks them.
 */
const messageMembers: Members = { ...answer, annotations: "text" };

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

/** Items and parts whose tokens their bytes bound. Sealed ones hold fewer tokens than bytes. */
const textItems: ReadonlySet<string> = new Set([
  "additional_tools",
  "agent_message",
  "apply_patch_call",
  "apply_patch_call_output",
  "compaction",
  "compaction_summary",
  "computer_call",
  "custom_tool_call",
  "custom_tool_call_output",
  "encrypted_content",
  "function_call",
  "function_call_output",
  "input_text",
  "local_shell_call",
  "local_shell_call_output",
  "message",
  "output_text",
  "reasoning",
  "reasoning_text",
  "refusal",
  "shell_call",
  "shell_call_output",
  "summary_text",
  "text",
]);

/**
 * Reads the input of a responses request: a text, or items. `readTools` gets a reader that is at a list of
 * tools, which an item may bring; newer agents send all of theirs so. What is not known to be text may be a
 * medium, or the name of something that the provider stores.
 */
export function readItems(
  reader: JsonReader,
  traits: ContentTraits,
  readTools: (reader: JsonReader) => void,
): void {
  const type = reader.type();
  if (type === "string") traits.messages++;
  if (type !== "array") return reader.skip();
  reader.enter();
  while (reader.nextItem()) {
    traits.messages++;
    if (reader.type() === "object") readInputItem(reader, traits, readTools);
    else reader.skip();
  }
}

function readInputItem(
  reader: JsonReader,
  traits: ContentTraits,
  readTools: (reader: JsonReader) => void,
): void {
  let isText: boolean | null = null;
  let hasRole = false;
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    const type = reader.type();
    if (key === "tools") readTools(reader);
    else if ((key === "content" || key === "output" || key === "summary") && type === "array") {
      reader.enter();
      while (reader.nextItem()) {
        if (reader.type() === "object") readInputItem(reader, traits, readTools);
        else reader.skip();
      }
    } else {
      // The output of a tool that the caller runs may be one part, such as a screenshot.
      if (key === "output" && type === "object") traits.media = true;
      if (mediaMembers.has(key) && type !== "null") traits.media = true;
      reader.skip();
      if (key === "role") hasRole = true;
      if (key !== "type" || type !== "string") continue;
      isText = isText !== false && textItems.has(stringAt(reader));
    }
  }
  if (!(isText ?? hasRole)) traits.media = true;
}

/** Reads texts or tokens to embed, each of which is wrapped like a message. Anything else is a medium. */
export function readTexts(reader: JsonReader, traits: ContentTraits): void {
  const type = reader.type();
  if (type === "object") traits.media = true;
  if (type !== "array") {
    if (type === "string") traits.messages++;
    return reader.skip();
  }
  traits.messages++;
  reader.enter();
  while (reader.nextItem()) readTexts(reader, traits);
}

function readMessage(reader: JsonReader, traits: ContentTraits): void {
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    if (key === "content") readParts(reader, traits);
    else if (key === "cache_control") readCacheControl(reader, traits);
    else {
      // An id names the audio of an earlier answer.
      if (key === "audio" && isNested(reader)) traits.audio = true;
      if (mediaMembers.has(key)) traits.media = true;
      readMember(reader, key, messageMembers, traits);
    }
  }
}

/**
 * Reads a member of an object whose known members are in the table. A nested unknown member may be anything.
 */
function readMember(
  reader: JsonReader,
  key: string,
  members: Members,
  traits: ContentTraits,
): void {
  const known = Object.hasOwn(members, key) ? members[key] : undefined;
  if (!isNested(reader) || known === "text" || known === "map") return reader.skip();
  if (typeof known !== "object") {
    traits.media = true;
    return reader.skip();
  }
  const isList = reader.type() === "array";
  reader.enter();
  if (isList) {
    while (reader.nextItem()) readItem(reader, known, traits);
  } else readMembers(reader, known, traits);
}

function readItem(reader: JsonReader, members: Members, traits: ContentTraits): void {
  if (reader.type() !== "object") {
    traits.media ||= reader.type() === "array";
    return reader.skip();
  }
  reader.enter();
  readMembers(reader, members, traits);
}

function readMembers(reader: JsonReader, members: Members, traits: ContentTraits): void {
  while (reader.nextMember()) {
    const key = keyOf(reader);
    if (mediaMembers.has(key)) traits.media = true;
    readMember(reader, key, members, traits);
  }
}

function isNested(reader: JsonReader): boolean {
  const type = reader.type();
  return type === "object" || type === "array";
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

/** A part without a known text type counts as a medium. */
function readPart(reader: JsonReader, traits: ContentTraits): void {
  let isText = false;
  reader.enter();
  while (reader.nextMember()) {
    const key = keyOf(reader);
    if (key === "cache_control") readCacheControl(reader, traits);
    else if (key === "content" || key === "tool_references") readParts(reader, traits);
    else {
      const type = reader.type();
      reader.skip();
      if (mediaMembers.has(key) || (key === "source" && type === "object")) traits.media = true;
      if (type !== "string") continue;
      if (key === "tool_name") (traits.toolReferences ??= []).push(stringAt(reader));
      if (key !== "type") continue;
      const partType = stringAt(reader);
      if (partType === "reasoning" || isTextBlock(partType)) isText = true;
      else if (audioParts.has(partType)) traits.audio = true;
      else traits.media = true;
    }
  }
  if (!isText) traits.media = true;
}

/** The string that was skipped last. */
function stringAt({ bytes, start, end }: JsonReader): string {
  return decodeString(bytes, start + 1, end - 1);
}

/** Reads `{"type": "ephemeral", "ttl": "1h"}`. An unknown value counts as the longer one. */
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

/** Some providers read names in any case. For the others, folding the case can only raise the estimate. */
export function keyOf({ bytes, keyStart, keyEnd }: JsonReader): string {
  return foldCase(decodeString(bytes, keyStart, keyEnd));
}
