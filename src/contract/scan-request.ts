import { Type, type Static } from "typebox";
import { CustomPattern } from "./custom-pattern.ts";
import { members, oneOf } from "./documented-schema.ts";
import { customPatternsMax } from "./limits.ts";
import {
  ScanCategory,
  scanCategories,
  Segment,
  segmentDefault,
  Sensitivity,
  sensitivityDefault,
} from "./scan.ts";
import type { RequestFormat } from "./wire.ts";

/** The options of a scan, for every target and route (spec: Scan options). */
export const ScanOptions = {
  // No `default`: a client that fills it in would lose the case of custom patterns alone.
  categories: Type.Optional(
    Type.Array(ScanCategory, {
      description:
        'What to look for. Default: `["prompt_injection"]`; with `custom_patterns` and without `categories`, only the custom patterns run.',
      errorMessage: `a list of ${scanCategories.join(", ")}, at least one and each at most once`,
      minItems: 1,
      // Unique items imply this bound. Without it, a million items would be compared.
      maxItems: scanCategories.length,
      uniqueItems: true,
    }),
  ),
  segment: Type.Optional({
    ...Segment,
    description:
      "Where direct input comes from. A content part without a segment inherits it; the segments of a provider request follow from its messages.",
    default: segmentDefault,
  }),
  sensitivity: Type.Optional({ ...Sensitivity, default: sensitivityDefault }),
  entity_score_threshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Findings below this confidence are left out. Default: what each detector is calibrated to, 0.5 as a rule.",
      errorMessage: "a number from 0 to 1",
    }),
  ),
  store_input: Type.Optional(
    Type.Boolean({
      description:
        "Whether the submission is stored under the workspace's retention settings. `false` stores no submitted text: a salted SHA-256 hash, result metadata, offsets, cost and the audit record only; a batch item's result is stored, so its `redacted_text` is null.",
      errorMessage: "true or false",
      default: true,
    }),
  ),
  custom_patterns: Type.Optional(
    Type.Array(CustomPattern, {
      description: "Patterns of your own to look for. One that is invalid refuses the whole scan.",
      errorMessage: `a list of 1 to ${customPatternsMax} patterns`,
      minItems: 1,
      maxItems: customPatternsMax,
    }),
  ),
};

/** An item of an array input (spec: Scan target). */
export const ContentPart = members(
  {
    type: Type.Literal("text", { errorMessage: '"text"' }),
    text: Type.String({ description: "The text to scan.", errorMessage: "a string" }),
    segment: Type.Optional({
      ...Segment,
      description: "Where this part comes from. Default: the scan's `segment`.",
    }),
  },
  { description: "A piece of direct input." },
);
export type ContentPart = Static<typeof ContentPart>;

/** The target of a direct request. */
export const scanInput = {
  input: Type.Union(
    [
      Type.String({ minLength: 1, description: "One text." }),
      Type.Array(ContentPart, { minItems: 1, description: "Several pieces of text." }),
    ],
    {
      description: "The text to scan.",
      errorMessage: "a string or a list of content parts, and not empty",
    },
  ),
};

const requestFormats = ["openai", "anthropic"] as const satisfies readonly RequestFormat[];

/** The target of a provider request. */
export const scanProviderRequest = {
  request: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      {
        description: "An unmodified provider-native request body. No model is called with it.",
        errorMessage: "an object",
        additionalProperties: true,
      },
    ),
  ),
  request_format: oneOf(requestFormats, {
    description:
      "How to read `request`: `openai` as a body of /v1/chat/completions, `anthropic` as one of /v1/messages. It is never inferred.",
  }),
};

export const DirectScanRequest = members(
  { ...scanInput, ...ScanOptions },
  { description: "A scan of text." },
);
export type DirectScanRequest = Static<typeof DirectScanRequest>;

export const ProviderScanRequest = members(
  { ...scanProviderRequest, ...ScanOptions },
  { description: "A scan of a provider-native request body." },
);
export type ProviderScanRequest = Static<typeof ProviderScanRequest>;

/** The body of `POST /v1/security/scan`: one target, never both (spec: Scan target). */
export const ScanRequest = Type.Union([DirectScanRequest, ProviderScanRequest], {
  description: "A scan of exactly one target: `input`, or `request` with `request_format`.",
});
export type ScanRequest = Static<typeof ScanRequest>;
