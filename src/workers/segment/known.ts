import { isAscii } from "node:buffer";
import type { Segment } from "../../contract/scan.ts";
import * as ascii from "../../json/ascii.ts";
import { decodeString } from "../../json/string.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/**
 * How a member of a known schema is read. In lists it holds for each item.
 *
 * - `value`: an id, an enum, a number or a flag. No model reads it.
 * - `map`: an object whose names the caller chooses, with a `value` each.
 * - `sealed`: a string of any length that only the provider can read.
 * - `text`: text that the model reads. Its owner is the owner of the object around it.
 * - an object: its members by name.
 *
 * A value that does not fit is scanned as data, a tool's text. So is every member that no table names.
 */
export type Known = "value" | "map" | "sealed" | "text" | Members;
export interface Members {
  readonly [name: string]: Known;
}

/** The longest string that is taken for an id or an enum; a longer one is scanned as text. */
const valueCharsMax = 256;

/** Reads the value at the cursor; `place` is its place. `segment`: the owner of the texts. */
export function walkKnown(walk: Walk, place: Place, known: Known, segment: Segment | null): void {
  if (known === "text") return walk.all(place, segment);
  const type = walk.reader.type();
  if (typeof known === "object") {
    if (type === "array") {
      return walk.items((index) => walkKnown(walk, place.item(index), known, segment));
    }
    if (type === "object") {
      return walk.members(place, (member, key) => walkMember(walk, member, key, known, segment));
    }
  }
  if (fits(walk.ahead(), known)) walk.unscanned(place);
  else if (known === "map" && type === "object") walkMap(walk, place);
  else walk.all(place, "tool");
}

/**
 * A member of an object with a table; a member that is not in the table is data, including its name.
 */
export function walkMember(
  walk: Walk,
  member: Place,
  key: string,
  members: Members,
  segment: Segment | null,
): void {
  const known = Object.hasOwn(members, key) ? members[key] : undefined;
  if (known === undefined) walk.unknown(member);
  else walkKnown(walk, member, known, segment);
}

/** A name that is one word is taken as a name, and its value is read. A member with any other name is data. */
function walkMap(walk: Walk, place: Place): void {
  const { reader } = walk;
  walk.members(place, (member) => {
    if (isValue(reader.bytes, reader.keyStart, reader.keyEnd, valueCharsMax)) {
      walkKnown(walk, member, "value", "tool");
    } else walk.unknown(member);
  });
}

/** Whether the value at the cursor fits the table. Moves the cursor past the value. */
function fits(walk: Walk, known: Known): boolean {
  const { reader } = walk;
  switch (reader.type()) {
    case "string": {
      reader.skip();
      const charsMax = known === "sealed" ? Infinity : valueCharsMax;
      return isValue(reader.bytes, reader.start + 1, reader.end - 1, charsMax);
    }
    case "array": {
      let fit = true;
      walk.items(() => {
        if (fit) fit = fits(walk, known);
        else reader.skip();
      });
      return fit;
    }
    case "object": {
      if (known !== "map") {
        reader.skip();
        return false;
      }
      let fit = true;
      reader.enter();
      while (reader.nextMember()) {
        fit &&= isValue(reader.bytes, reader.keyStart, reader.keyEnd, valueCharsMax);
        if (fit) fit = fits(walk, "value");
        else reader.skip();
      }
      return fit;
    }
    default:
      reader.skip();
      return true;
  }
}

/**
 * Whether the contents of the JSON string are one word of at most `charsMax` characters, in any
 * alphabet. A sentence in place of an id is text.
 */
function isValue(bytes: Uint8Array, start: number, end: number, charsMax: number): boolean {
  if (isPlainWord(bytes, start, end)) return end - start <= charsMax;
  // `\uXXXX` is the longest spelling of a character.
  if (end - start > charsMax * 6) return false;
  const text = decodeString(bytes, start, end);
  return text.length <= charsMax && !/[\s\p{C}]/u.test(text);
}

/** Printable ASCII without an escape and without a space. */
function isPlainWord(bytes: Uint8Array, start: number, end: number): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (end - start > valueCharsMax) {
    return isAscii(view) && !view.includes(ascii.space) && !view.includes(ascii.backslash);
  }
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= ascii.space || byte > 0x7e || byte === ascii.backslash) return false;
  }
  return true;
}
