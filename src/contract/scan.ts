import { Type, type Static } from "typebox";
import { members, oneOf } from "./documented-schema.ts";

/** spec: Scan options, `segment`. */
export const Segment = oneOf(["user", "tool"], {
  description: "Where a text comes from: the user, or a tool (its results and its definition).",
});
export type Segment = Static<typeof Segment>;
export const segmentDefault: Segment = "user";

/** spec: Scan options, `sensitivity`. */
export const Sensitivity = oneOf(["strict", "balanced", "permissive"], {
  description:
    "The operating point of the prompt-injection score. `strict` catches more and may produce more false positives.",
});
export type Sensitivity = Static<typeof Sensitivity>;
export const sensitivityDefault: Sensitivity = "balanced";

/** Families of entities (spec: Detection object, `category`). */
export const entityCategories = ["pii", "phi", "credential"] as const;
export const EntityCategory = oneOf(entityCategories, {
  description: "The family of an entity.",
});
export type EntityCategory = Static<typeof EntityCategory>;

/** The categories that a scan can be asked for (spec: Scan options, `categories`). */
export const scanCategories = ["prompt_injection", ...entityCategories] as const;
export const ScanCategory = oneOf(scanCategories, { description: "What to look for." });
export type ScanCategory = Static<typeof ScanCategory>;

/** The recommendation of the detectors (spec: Scan response); the scan itself never blocks. */
export const Verdict = oneOf(["allow", "flag", "block"], {
  description:
    "`allow`: the score is below the strict operating point. `flag`: it is between that and the selected one. `block`: it reached the selected operating point, or no valid score could be computed. A recommendation only.",
});
export type Verdict = Static<typeof Verdict>;

export const InjectionReason = oneOf(
  [
    "below_strict_threshold",
    "between_strict_and_selected",
    "at_or_above_selected",
    "score_uncomputable",
  ],
  { description: "How the score stands to the operating points." },
);
export type InjectionReason = Static<typeof InjectionReason>;

const index = Type.Integer({
  minimum: 0,
  description: "Position of the message, or of the part of an array input.",
});
const path = Type.Array(Type.Union([Type.String(), Type.Integer()]), {
  description: "Member names and array positions that lead to the value.",
});

/** The place of a scanned span or an unscanned part (spec: Location). */
export const Location = Type.Union(
  [
    members({ source: Type.Literal("input") }, { description: "The string input." }),
    members(
      { source: oneOf(["input", "messages"], { description: "The array." }), index },
      { description: "An item of an array input, or a message." },
    ),
    members(
      { source: oneOf(["system", "tools"], { description: "The member of the request." }) },
      { description: "The system text or the tool definitions of a provider request." },
    ),
    members(
      { source: Type.Literal("request"), path },
      { description: "Any other member of a provider request." },
    ),
  ],
  { description: "Where a scanned span or an unscanned part stands." },
);
export type Location = Static<typeof Location>;

/**
 * The place of a text leaf, down to the string (spec: DetectionLocation). `source` names a member
 * (`request` the whole request body), `index` a message or input part in it, `part` a block of its
 * `content` (of `system`: a block), `inner_part` a block of that block's `content`. Without `path`,
 * the text is the named object itself if it is a string; otherwise the `content` of a message or a
 * tool result, or the `text` of any other block. For any other string, `path` leads from that
 * object to the string.
 */
export const DetectionLocation = members(
  {
    source: oneOf(["input", "messages", "system", "tools", "request"], {
      description: "The member of the submission; `request` is the whole request body.",
    }),
    index: Type.Optional(index),
    path: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description:
          "Leads from the object that the other members name to the string. Without it: that object if it is a string, else its `content` (messages, tool results) or its `text`.",
      }),
    ),
    part: Type.Optional(
      Type.Integer({ minimum: 0, description: "Position of a structured content block." }),
    ),
    inner_part: Type.Optional(
      Type.Integer({ minimum: 0, description: "Position of a block inside a tool result." }),
    ),
    content_serialized: Type.Optional(
      Type.Literal(true, {
        description:
          "The deterministic JSON form of structured tool content without a text leaf, or of a number that a tool is called with, was scanned; offsets apply to that JSON string.",
      }),
    ),
  },
  { description: "Where the text of a finding stands, down to the string." },
);
export type DetectionLocation = Static<typeof DetectionLocation>;

/** The member `injection` of a scan response. */
export const InjectionResult = members(
  {
    verdict: Verdict,
    score: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: "Rounded to two decimals; null where none could be computed.",
    }),
    reason_code: InjectionReason,
    location: Type.Optional(DetectionLocation),
  },
  {
    description:
      "The prompt-injection verdict. Where it is not `allow`, `location` tells where the text with the highest score stands.",
  },
);
export type InjectionResult = Static<typeof InjectionResult>;
