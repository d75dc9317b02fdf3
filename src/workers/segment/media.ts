import type { Segment } from "../../contract/scan.ts";
import * as ascii from "../../json/ascii.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** How far into a medium a space is looked for. */
const headBytes = 256;

/** Types of a `source` whose data is not text; `text` and `content` are, and what nobody knows. */
const mediaSourceTypes = new Set(["base64", "url", "file"]);
const mediumMembers = new Set(["url", "data", "file_data"]);
const parameterMembers = new Set(["type", "media_type", "detail", "format", "file_id"]);

/**
 * The member of a block that holds its medium (`image_url`, `source`, `file` …): a URL, a data URL or
 * base64, alone or in an object. Only the position makes a medium; all else there is text.
 */
export function walkMedia(walk: Walk, place: Place, segment: Segment | null): void {
  const type = walk.reader.type();
  if (type === "string") return mediumOrText(walk, place, segment);
  if (type !== "object" || !walk.namesOf("type").every((name) => mediaSourceTypes.has(name))) {
    return walk.all(place, segment);
  }
  walk.members(place, (member, key) => {
    if (parameterMembers.has(key)) walk.unscanned(member);
    else if (mediumMembers.has(key) && walk.reader.type() === "string") {
      mediumOrText(walk, member, segment);
    } else walk.all(member, segment);
  });
}

/** A sentence is no URL and no base64: a provider that reads one there must not read it unseen. */
function mediumOrText(walk: Walk, place: Place, segment: Segment | null): void {
  const { bytes, at } = walk.reader;
  if (hasSpaceInHead(bytes, at + 1)) walk.string(place, segment);
  else walk.unscanned(place);
}

function hasSpaceInHead(bytes: Uint8Array, start: number): boolean {
  for (let at = start; at < start + headBytes; at++) {
    const byte = bytes[at] ?? ascii.quote;
    if (byte === ascii.quote) return false;
    if (byte === ascii.space || byte >= 0x80) return true;
  }
  return false;
}
