import { isAscii } from "node:buffer";
import type { Segment } from "../../contract/scan.ts";
import * as ascii from "../../json/ascii.ts";
import { decodeString } from "../../json/string.ts";
import { isBase64, isDataUrl } from "./opaque.ts";
import { walkMember, type Members } from "./known.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/**
 * Types of a `source` whose data is not text. Data of the types `text` and `content`, and of
 * unknown types, is text.
 */
const mediaSourceTypes = new Set(["base64", "url", "file"]);
const mediumMembers = new Set(["url", "data", "file_data"]);
/**
 * Members of a `source` or `file` that are always text: content, or a name that the model reads.
 */
const textMembers = new Set(["content", "filename"]);
const parameters: Members = {
  type: "value",
  media_type: "value",
  detail: "value",
  format: "value",
  file_id: "value",
};

/**
 * The member of a block that holds its medium (`image_url`, `source`, `file` …): a URL, a data URL or
 * base64, alone or in an object. Only a value at such a position can be a medium; everything else
 * there is text.
 */
export function walkMedia(walk: Walk, place: Place, segment: Segment | null): void {
  const type = walk.reader.type();
  if (type === "string") return walkWord(walk, place, segment);
  if (type !== "object") return walk.all(place, segment);
  const isMedium = walk.namesOf("type").every((name) => mediaSourceTypes.has(name));
  walk.members(place, (member, key) => {
    if (textMembers.has(key)) walk.all(member, segment);
    else if (!mediumMembers.has(key)) walkMember(walk, member, key, parameters, segment);
    else if (isMedium && walk.reader.type() === "string") walkWord(walk, member, segment);
    else walk.all(member, segment);
  });
}

/**
 * The string at the cursor, at a place for a URL, base64 or an identifier. A sentence is none of
 * these and is scanned, because a provider may read it there.
 */
export function walkWord(walk: Walk, place: Place, segment: Segment | null): void {
  const { reader } = walk.ahead();
  reader.skip();
  if (isMedium(reader.bytes, reader.start + 1, reader.end - 1)) walk.unscanned(place);
  else walk.string(place, segment);
}

/**
 * A photo has escapes if its writer escapes slashes (PHP) or plus signs (.NET). Such a string is
 * checked without decoding. Only a string that may be lines of base64 is decoded, because that takes
 * many times as long.
 */
function isMedium(bytes: Uint8Array, start: number, end: number): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (view.includes(ascii.space) || !isAscii(view)) return false;
  if (escapesWordsOnly(view)) return true;
  const text = decodeString(bytes, start, end);
  return isBase64(text) || isDataUrl(text);
}

/** Whether every escape stands for printable ASCII other than the space. */
function escapesWordsOnly(escaped: Buffer): boolean {
  let next = 0;
  for (;;) {
    const at = escaped.indexOf(ascii.backslash, next);
    if (at === -1) return true;
    const letter = escaped[at + 1] ?? 0;
    if (letter === ascii.lowerU) {
      if (!isVisible(escaped.subarray(at + 2, at + 6))) return false;
      next = at + 6;
    } else {
      if (blankLetters.has(letter)) return false;
      next = at + 2;
    }
  }
}

/** The letters of the escapes that stand for control characters. */
const blankLetters: ReadonlySet<number> = new Set(Buffer.from("bfnrt"));

/** Whether four hexadecimal digits stand for a visible ASCII character. */
function isVisible(digits: Buffer): boolean {
  const unit = Number.parseInt(digits.toString("latin1"), 16);
  return unit > 0x20 && unit < 0x7f;
}
