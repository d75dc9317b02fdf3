import type { Segment } from "../../contract/scan.ts";
import { walkContent } from "./content.ts";
import { walkWord } from "./media.ts";
import { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** Whose text a message is; every other role counts as the user's. */
const segmentOfRole: ReadonlyMap<string, Segment | null> = new Map<string, Segment | null>([
  ["system", null],
  ["developer", null],
  ["assistant", null],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** What no model reads, in any message. */
const parameters = new Set(["role", "tool_call_id", "cache_control"]);

/** The member `messages` at the cursor. */
export function walkMessages(walk: Walk): void {
  const messages = Place.source("messages");
  if (walk.reader.type() !== "array") return walk.all(messages, "user");
  walk.items((index) => walkMessage(walk, messages.message(index)));
}

function walkMessage(walk: Walk, place: Place): void {
  if (walk.reader.type() !== "object") return walk.all(place, "user");
  const segment = segmentOfRoles(walk.namesOf("role"));
  walk.members(place, (member, key) => {
    if (key === "content") walkContent(walk, place, member, segment);
    else if (key === "tool_calls" && walk.reader.type() === "array")
      walk.items((index) => walkToolCall(walk, member.item(index), segment));
    else if (parameters.has(key)) walk.unscanned(member);
    else walk.all(member, segment);
  });
}

/** The id is what a tool's message answers to: `tool_call_id`, which is no text either. */
function walkToolCall(walk: Walk, place: Place, segment: Segment | null): void {
  if (walk.reader.type() !== "object") return walk.all(place, segment);
  walk.members(place, (member, key) => {
    const isName = (key === "id" || key === "type") && walk.reader.type() === "string";
    if (isName) walkWord(walk, member, segment);
    else walk.all(member, segment);
  });
}

/** A message without a role, or with several that differ, is read as the user's. */
export function segmentOfRoles(roles: readonly string[]): Segment | null {
  const [segment, ...others] = new Set(
    roles.map((role) => {
      const known = segmentOfRole.get(role);
      return known === undefined ? "user" : known;
    }),
  );
  return segment === undefined || others.length > 0 ? "user" : segment;
}
