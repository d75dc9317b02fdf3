import type { Segment } from "../../contract/scan.ts";
import { walkContent } from "./content.ts";
import { walkMember, type Members } from "./known.ts";
import { walkWord } from "./media.ts";
import { segmentOfRoles } from "./messages.ts";
import type { Place } from "./place.ts";
import type { Walk } from "./walk.ts";

const check: Members = { id: "value", code: "value", message: "text" };

/** Members that any item may have. Sources as in blocks.ts. */
const common: Members = {
  role: "value",
  type: "value",
  id: "value",
  status: "value",
  phase: "value",
  call_id: "value",
  created_by: "value",
  caller: { type: "value", caller_id: "value" },
  namespace: "value",
  name: "text",
};

/** Members of a tool's item beside its output. */
const ofTools: Members = {
  ...common,
  execution: "value",
  max_output_length: "value",
  acknowledged_safety_checks: check,
  approval_request_id: "value",
  approve: "value",
  reason: "text",
  // Codex: messages between agents.
  author: "value",
  recipient: "value",
};

/** Members of the model's calls and thoughts. */
const ofModels: Members = {
  ...common,
  action: "text",
  actions: "text",
  arguments: "text",
  async: "value",
  code: "text",
  container_id: "value",
  encrypted_content: "sealed",
  environment: { type: "value", container_id: "value" },
  execution: "value",
  input: "text",
  operation: "text",
  pending_safety_checks: check,
  queries: "text",
  reasoning: { effort: "value", summary: "value" },
  revised_prompt: "text",
  server_label: "value",
  summary: "text",
  text: "text",
};

export const itemNames: readonly Members[] = [ofTools, ofModels];

/**
 * Members of a call that the provider has run itself. They hold the tool's text, not the model's.
 */
const results = new Set(["error", "output", "outputs", "result", "results", "tools"]);

/** The conversation of a responses request, at the cursor: a text of the user, or items of many types. */
export function walkInput(walk: Walk, input: Place): void {
  if (walk.reader.type() !== "array") return walk.all(input, "user");
  walk.items((index) => walkItem(walk, input.entry(index)));
}

function walkItem(walk: Walk, place: Place): void {
  if (walk.reader.type() !== "object") return walk.all(place, "user");
  const { segment, members, isOutput } = kindOf(walk);
  walk.members(place, (member, key) => {
    const isResult = segment === null && results.has(key);
    // A picture that the provider has made.
    if (key === "result" && isResult && walk.reader.type() === "string") {
      walkWord(walk, member, "tool");
    } else if (isResult) walkContent(walk, place, member, "tool");
    else if (key === "output" && isOutput) {
      walkContent(walk.results(), place, member, "tool");
    } else if (key === "content" || key === "output") walkContent(walk, place, member, segment);
    else walkMember(walk, member, key, members, segment);
  });
}

interface Kind {
  readonly segment: Segment | null;
  readonly members: Members;
  /** True: the item is a tool's answer to a call. */
  readonly isOutput: boolean;
}

/**
 * The owner of an item's text. The role decides for a message. A tool's output belongs to the tool. The
 * model's own calls and thoughts belong to nobody. An item of unknown type is data. An item with
 * several types may be the user's message.
 */
function kindOf(walk: Walk): Kind {
  const [type, ...others] = new Set(walk.namesOf("type"));
  if (others.length > 0) return { segment: "user", members: common, isOutput: false };
  if (type === undefined || type === "message") {
    const segment = segmentOfRoles(walk.namesOf("role"));
    return { segment, members: common, isOutput: false };
  }
  if (type.endsWith("_call") || models.has(type)) {
    return { segment: null, members: ofModels, isOutput: false };
  }
  return { segment: "tool", members: ofTools, isOutput: type.endsWith("_output") };
}

/** Types of items, apart from calls, that the model or the provider has written. */
const models = new Set([
  "compaction",
  "compaction_summary",
  "configuration_update",
  "item_reference",
  "mcp_list_tools",
  "reasoning",
]);
