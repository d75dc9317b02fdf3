import { Type, type Static } from "typebox";
import { CustomPatternAction } from "./custom-pattern.ts";
import { members } from "./documented-schema.ts";
import {
  DetectionLocation,
  EntityCategory,
  InjectionResult,
  Location,
  Segment,
  Sensitivity,
} from "./scan.ts";
import { ContentPart } from "./scan-request.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const start = count("UTF-16 code-unit offset of the first unit, as JavaScript's `slice` takes it.");
const end = count("UTF-16 code-unit offset behind the last unit.");

/** Text that at least one detector saw. */
export const ScannedSpan = Type.Object(
  { location: Location, segment: Segment, tokens: count("Tokens sent to detectors.") },
  { description: "Text that was sent to detectors." },
);
export type ScannedSpan = Static<typeof ScannedSpan>;

export const UnscannedPart = Type.Object(
  { location: Location, tokens: count("Tokens that no detector saw.") },
  { description: "Content that was submitted and not inspected: parameters, media, base64." },
);
export type UnscannedPart = Static<typeof UnscannedPart>;

/** An entity finding; it never carries the matched text (spec: Detection object). */
export const Detection = members(
  {
    category: EntityCategory,
    entity_type: Type.String({
      description: "The kind of entity: a row of `GET /v1/security/detectors`.",
      examples: ["EMAIL_ADDRESS"],
    }),
    label: Type.String({
      description: "The noun that `redacted_text` shows between angle brackets.",
      examples: ["EMAIL"],
    }),
    score: Type.Number({ minimum: 0, maximum: 1, description: "Confidence." }),
    start,
    end,
    location: DetectionLocation,
  },
  { description: "An entity finding: label, confidence and place, never the matched text." },
);
export type Detection = Static<typeof Detection>;

export const CustomPatternFinding = Type.Object(
  {
    pattern_name: Type.String({ description: "The `name` of the pattern." }),
    action: CustomPatternAction,
    redactionToken: Type.String({ description: "The pattern's token, given or default." }),
    start,
    end,
    location: DetectionLocation,
  },
  { description: "A match of a custom pattern: name and place, never the matched text." },
);
export type CustomPatternFinding = Static<typeof CustomPatternFinding>;

export const CustomPatternScan = Type.Object(
  {
    patterns_evaluated: count("Patterns that were searched for."),
    truncated: Type.Boolean({
      description:
        "Whether a pattern matched more than 1,000 times in one content part; the findings are a floor then.",
    }),
    truncated_patterns: Type.Array(Type.String(), { description: "The names of those patterns." }),
    findings_capped: Type.Boolean({
      description:
        "Whether the search stopped at 5,000 findings, or at 4 MiB of them; later content parts were not searched then.",
    }),
  },
  { description: "How far the search for custom patterns went." },
);
export type CustomPatternScan = Static<typeof CustomPatternScan>;

function orNull<const S extends Parameters<typeof Type.Union>[0][number]>(
  schema: S,
  description: string,
) {
  return Type.Union([schema, Type.Null()], { description });
}

/**
 * The answer of a scan: over REST, as the content of the MCP tool's result and as the result of a
 * completed batch item (spec: Scan response).
 */
export const ScanResponse = Type.Object(
  {
    scan_id: Type.String({
      pattern: "^scan_[a-f0-9]+$",
      description: "Names the scan in the audit log.",
    }),
    sensitivity: Sensitivity,
    input_tokens: count("Tokens in all submitted content, unscanned content included."),
    billable_tokens: count("Tokens sent to detectors: the sum of `scanned.spans[].tokens`."),
    scanned: Type.Object(
      {
        spans: Type.Array(ScannedSpan, { description: "What was scanned." }),
        unscanned: Type.Array(UnscannedPart, {
          description:
            "What was not, text behind the point where capped custom patterns stopped included. The rows need not add up to `input_tokens`, which is counted over the whole serialized body.",
        }),
      },
      {
        description:
          "What the detectors saw, and what they did not. Where the rows' locations are longer than 4 MiB, the rest is counted in the row of the whole target: source `input`, or `request` with an empty path.",
      },
    ),
    injection: orNull(InjectionResult, "null when `prompt_injection` was not requested."),
    entities: orNull(
      Type.Object(
        {
          degraded: Type.Boolean({
            description:
              "Whether a part of the entity scan did not run, or not to its end, or found more than 4 MiB of `detections` have room for: they are the first ones then, and `redacted_text` has a label for all.",
          }),
        },
        { description: "How the entity scan went." },
      ),
      "null when no entity category was requested.",
    ),
    detections: Type.Array(Detection, {
      description: "Entity findings only; prompt injection is reported under `injection`.",
    }),
    redacted_text: Type.Union(
      [
        Type.String(),
        Type.Array(ContentPart),
        Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
        Type.Null(),
      ],
      {
        description:
          "The submission in its own shape, detected values replaced by labels such as `<EMAIL>`; unscanned content is returned unchanged. null when no entity category was requested or nothing was found, and in a batch item's result with `store_input: false`.",
      },
    ),
    custom_pattern_findings: Type.Array(CustomPatternFinding, {
      description: "Empty when no patterns were supplied.",
    }),
    custom_pattern_scan: orNull(CustomPatternScan, "null when no patterns were supplied."),
  },
  { description: "What a scan found. It is advice: there is no action in it." },
);
export type ScanResponse = Static<typeof ScanResponse>;
