import type { Segment } from "../../contract/scan.ts";
import { walkContent } from "./content.ts";
import { walkMember, type Members } from "./known.ts";
import { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

/** The owner of a message's text, by its role. Every other role counts as the user's. */
const segmentOfRole: ReadonlyMap<string, Segment | null> = new Map<string, Segment | null>([
  ["system", null],
  ["developer", null],
  ["assistant", null],
  ["tool", "tool"],
  ["function", "tool"],
]);

/** Members of any message except its content. Sources as in blocks.ts. */
const parameters: Members = {
  role: "value",
  name: "text",
  tool_call_id: "value",
  cache_control: { type: "value", ttl: "value" },
  id: "value",
  type: "value",
  // Claude Code: the effort from this message on.
  output_config: { effort: "value" },
  clear_at: "value",
};

const toolCall: Members = {
  id: "value",
  index: "value",
  type: "value",
  function: "text",
  custom: "text",
  // Google's, through its OpenAI endpoint.
  extra_content: { google: { thought_signature: "sealed" } },
};

/** Members of any message, and members of an answer that a client sends back unchanged. */
export const answer: Members = {
  ...parameters,
  refusal: "text",
  audio: { id: "value" },
  function_call: "text",
  tool_calls: toolCall,
  model: "value",
  stop_reason: "value",
  stop_sequence: "value",
  // DeepSeek, Qwen, vLLM, OpenRouter.
  reasoning_content: "text",
  reasoning: "text",
  reasoning_details: {
    type: "value",
    format: "value",
    id: "value",
    index: "value",
    text: "text",
    summary: "text",
    data: "sealed",
    signature: "sealed",
  },
};

export const messageNames: readonly Members[] = [parameters, answer];

/** The member `messages` at the cursor. */
export function walkMessages(walk: Walk, member: Place): void {
  if (walk.reader.type() !== "array") return walk.unknown(member);
  const messages = Place.source("messages");
  walk.items((index) => walkMessage(walk, messages.message(index)));
}

function walkMessage(walk: Walk, place: Place): void {
  if (walk.reader.type() !== "object") return walk.all(place, "tool");
  const segment = segmentOfRoles(walk.namesOf("role"));
  const members = segment === null ? answer : parameters;
  walk.members(place, (member, key) => {
    if (key === "content") {
      walkContent(segment === "tool" ? walk.results() : walk, place, member, segment);
    } else walkMember(walk, member, key, members, segment);
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
