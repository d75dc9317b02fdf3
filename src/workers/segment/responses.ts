import type { Segment } from "../../contract/scan.ts";
import { walkContent } from "./content.ts";
import { walkWord } from "./media.ts";
import { segmentOfRoles } from "./messages.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** What names an item or says how it stands; a sentence there is text all the same. */
const words = new Set(["call_id", "id", "phase", "status", "type"]);

/** Of a call that the provider has run itself: what the tool, not the model, has said. */
const results = new Set(["error", "output", "outputs", "result", "results", "tools"]);

/** The conversation of a responses request, at the cursor: a text of the user, or items of many types. */
export function walkInput(walk: Walk, input: Place): void {
  if (walk.reader.type() !== "array") return walk.all(input, "user");
  walk.items((index) => walkItem(walk, input.entry(index)));
}

function walkItem(walk: Walk, place: Place): void {
  if (walk.reader.type() !== "object") return walk.all(place, "user");
  const segment = segmentOf(walk);
  walk.members(place, (member, key) => {
    const isString = walk.reader.type() === "string";
    const isResult = segment === null && results.has(key);
    if (key === "role") walk.unscanned(member);
    else if (words.has(key) && isString) walkWord(walk, member, segment);
    // A picture that the provider has made.
    else if (key === "result" && isResult && isString) walkWord(walk, member, "tool");
    else if (isResult) walkContent(walk, place, member, "tool");
    else if (key === "content" || key === "output") walkContent(walk, place, member, segment);
    else walk.all(member, segment);
  });
}

/**
 * Whose text an item is: a message's by its role, a tool's output the tool's, the model's own calls and
 * thoughts nobody's. An item of a type that nobody knows, or of several, is read as the user's.
 */
function segmentOf(walk: Walk): Segment | null {
  const [type, ...others] = new Set(walk.namesOf("type"));
  if (others.length > 0) return "user";
  if (type === undefined || type === "message") return segmentOfRoles(walk.namesOf("role"));
  if (type.endsWith("_output")) return "tool";
  return type.endsWith("_call") || models.has(type) ? null : "user";
}

/** Items that the model or the provider has written, beside calls. */
const models = new Set(["compaction", "item_reference", "mcp_list_tools", "reasoning"]);
