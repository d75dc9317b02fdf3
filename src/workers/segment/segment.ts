import { JsonReader } from "../../json/reader.ts";
import type { BodyFormat } from "../pool/scan-job.ts";
import { walkContent } from "./content.ts";
import { walkMember } from "./known.ts";
import type { LeafVisitor } from "./leaf.ts";
import { walkMessages } from "./messages.ts";
import { Place } from "./place.ts";
import { membersOfRequest } from "./requests.ts";
import { walkInput } from "./responses.ts";
import { Walk } from "./walk.ts";

/**
 * Finds what the model reads in a provider request (design section 7, "What a provider request has
 * scanned"). `bytes` is JSON that has been validated. Everything that is in no schema counts as data, a
 * tool's text: unknown members, their names, and JSON of unknown shape
 * (docs/decisions/0038-what-nobody-knows-is-data.md). Both of two duplicate members are read.
 */
export function visitLeaves(bytes: Uint8Array, format: BodyFormat, visitor: LeafVisitor): void {
  const walk = new Walk(new JsonReader(bytes), visitor);
  const request = Place.source("request");
  if (format === "json" || walk.reader.type() !== "object") return walk.all(request, "tool");
  const members = membersOfRequest[format];
  walk.members(request, (member, key) => {
    if (key === "messages") walkMessages(walk, member);
    else if (key === "tools") walk.all(Place.source("tools"), "tool");
    else if (key === "system" && format === "anthropic")
      walkContent(walk, Place.source("system"), member, null);
    else if (key === "input" && format === "responses") walkInput(walk, member);
    else if (key === "input" && format === "embeddings") walk.all(member, "tool");
    else walkMember(walk, member, key, members, null);
  });
}
