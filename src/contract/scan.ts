import { Type, type Static } from "typebox";

/** Where a text comes from (spec: Scan options, `segment`): the user, or a tool and its definition. */
export const Segment = Type.Union([Type.Literal("user"), Type.Literal("tool")]);
export type Segment = Static<typeof Segment>;

/** spec: Scan options, `sensitivity`. */
export const Sensitivity = Type.Union([
  Type.Literal("strict"),
  Type.Literal("balanced"),
  Type.Literal("permissive"),
]);
export type Sensitivity = Static<typeof Sensitivity>;
export const sensitivityDefault: Sensitivity = "balanced";

/** What the detectors recommend (spec: Scan response); the scan itself never blocks. */
export const Verdict = Type.Union([
  Type.Literal("allow"),
  Type.Literal("flag"),
  Type.Literal("block"),
]);
export type Verdict = Static<typeof Verdict>;

export const InjectionReason = Type.Union([
  Type.Literal("below_strict_threshold"),
  Type.Literal("between_strict_and_selected"),
  Type.Literal("at_or_above_selected"),
  Type.Literal("score_uncomputable"),
]);
export type InjectionReason = Static<typeof InjectionReason>;

/** The member `injection` of a scan response. `score` is rounded to two decimals. */
export const InjectionResult = Type.Object(
  {
    verdict: Verdict,
    score: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
    reason_code: InjectionReason,
  },
  { additionalProperties: false },
);
export type InjectionResult = Static<typeof InjectionResult>;

const index = Type.Integer({ minimum: 0 });
const path = Type.Array(Type.Union([Type.String(), Type.Integer()]));

/** Where a scanned span or an unscanned part stands (spec: Location). */
export const Location = Type.Union([
  Type.Object({ source: Type.Literal("input") }, { additionalProperties: false }),
  Type.Object(
    { source: Type.Union([Type.Literal("input"), Type.Literal("messages")]), index },
    { additionalProperties: false },
  ),
  Type.Object(
    { source: Type.Union([Type.Literal("system"), Type.Literal("tools")]) },
    { additionalProperties: false },
  ),
  Type.Object({ source: Type.Literal("request"), path }, { additionalProperties: false }),
]);
export type Location = Static<typeof Location>;

/**
 * Where a text leaf stands, down to the string (spec: DetectionLocation). `source` names a member
 * (`request` the whole request body), `index` a message or input part in it, `part` a block of its
 * `content` (of `system`: a block), `inner_part` a block of that block's `content`. Without `path`
 * the text is the object so named if that is a string, else the `content` of a message or tool
 * result, the `text` of any other block; `path` leads from that object to any other string.
 */
export const DetectionLocation = Type.Object(
  {
    source: Type.Union([
      Type.Literal("input"),
      Type.Literal("messages"),
      Type.Literal("system"),
      Type.Literal("tools"),
      Type.Literal("request"),
    ]),
    index: Type.Optional(index),
    path: Type.Optional(path),
    part: Type.Optional(index),
    inner_part: Type.Optional(index),
    /** Offsets apply to the JSON text of the structured content found there. */
    content_serialized: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);
export type DetectionLocation = Static<typeof DetectionLocation>;
