import type { Segment } from "../../contract/scan.ts";
import { JsonReader } from "../../json/reader.ts";
import { decodeString } from "../../json/string.ts";
import type { LeafVisitor } from "../segment/leaf.ts";
import { Place } from "../segment/place.ts";
import { Walk } from "../segment/walk.ts";

const segments: ReadonlyMap<string, Segment> = new Map<string, Segment>([
  ["user", "user"],
  ["tool", "tool"],
]);

/**
 * The leaves of direct input: a string, or content parts, each of which inherits `segment` unless it
 * names its own. `bytes` is JSON that has been validated against the scan request's schema.
 */
export function visitInput(bytes: Uint8Array, segment: Segment, visitor: LeafVisitor): void {
  const walk = new Walk(new JsonReader(bytes), visitor);
  const input = Place.source("input");
  if (walk.reader.type() === "string") return walk.string(input, segment);
  walk.items((index) => visitPart(walk, input.message(index), segment));
}

function visitPart(walk: Walk, place: Place, inherited: Segment): void {
  const segment = segments.get(walk.namesOf("segment")[0] ?? "") ?? inherited;
  walk.members(place, (_member, key) => {
    if (key === "text") walk.string(place, segment);
    else walk.reader.skip();
  });
}

/** The fault of direct input, as a JSON pointer and prose; null if there is none. */
export function inputFault(bytes: Uint8Array): string | null {
  const reader = new JsonReader(bytes);
  switch (reader.type()) {
    case "string":
      reader.skip();
      return reader.end - reader.start > 2 ? null : "/input must not be empty";
    case "array":
      return partsFault(reader);
    default:
      return "/input must be a string or a list of content parts";
  }
}

function partsFault(reader: JsonReader): string | null {
  reader.enter();
  let count = 0;
  for (; reader.nextItem(); count++) {
    if (reader.type() !== "object") return `/input/${count} must be an object`;
    const fault = partFault(reader);
    if (fault !== null) return `/input/${count}${fault}`;
  }
  return count === 0 ? "/input must have at least one part" : null;
}

/** Members of a content part and the strings that they may hold; null: any. */
const partMembers: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ["type", new Set(["text"])],
  ["text", null],
  ["segment", new Set(segments.keys())],
]);
const longestMemberBytes = 16;

function partFault(reader: JsonReader): string | null {
  const seen = new Set<string>();
  reader.enter();
  while (reader.nextMember()) {
    const { keyStart, keyEnd } = reader;
    const key =
      keyEnd - keyStart > longestMemberBytes * 6
        ? ""
        : decodeString(reader.bytes, keyStart, keyEnd);
    const allowed = partMembers.get(key);
    if (allowed === undefined) return " has a property that a content part does not have";
    if (seen.has(key)) return `/${key} stands more than once`;
    seen.add(key);
    if (reader.type() !== "string") return `/${key} must be a string`;
    reader.skip();
    if (allowed === null) continue;
    const isShort = reader.end - reader.start <= longestMemberBytes * 6;
    const value = isShort ? decodeString(reader.bytes, reader.start + 1, reader.end - 1) : "";
    if (!allowed.has(value)) return `/${key} must be one of ${[...allowed].join(", ")}`;
  }
  if (!seen.has("type")) return "/type is missing";
  return seen.has("text") ? null : "/text is missing";
}
