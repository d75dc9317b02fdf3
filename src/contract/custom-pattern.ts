import { Type, type Static } from "typebox";
import { oneOf } from "./documented-schema.ts";
import {
  customPatternNameCharsMax,
  customPatternRegexCharsMax,
  redactionTokenCharsMax,
} from "./limits.ts";

export const redactionTokenDefault = "[REDACTED]";

function chars(maxLength: number, description: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    description,
    errorMessage: `a string of 1 to ${maxLength} characters`,
  });
}

/** The action for a match. A scan only returns it. */
export const CustomPatternAction = oneOf(["flag", "redact", "block"], {
  description: "Echoed on each finding, never applied by the scan.",
});
export type CustomPatternAction = Static<typeof CustomPatternAction>;

/**
 * The object that a scan takes and a security policy stores (spec: Custom pattern object). Two rules have
 * their own error codes and are checked outside the schema: names are unique without regard to case, and
 * `regex` compiles. Other members are ignored.
 */
export const CustomPattern = Type.Object(
  {
    name: chars(
      customPatternNameCharsMax,
      "Unique in the list, whatever its case; every finding cites it.",
    ),
    regex: chars(
      customPatternRegexCharsMax,
      "RE2 syntax without delimiters or flags; no backreferences and no lookaround.",
    ),
    direction: oneOf(["input", "output", "both"], {
      description:
        "What a security policy applies the pattern to. A scan runs every pattern, whatever its direction.",
    }),
    action: CustomPatternAction,
    redactionToken: Type.Optional(
      Type.String({
        ...chars(
          redactionTokenCharsMax,
          "What a security policy puts in place of a match. A scan returns it on the finding and substitutes nothing.",
        ),
        default: redactionTokenDefault,
      }),
    ),
  },
  { description: "A pattern of the caller's own.", errorMessage: "an object" },
);
export type CustomPattern = Static<typeof CustomPattern>;

/** Why a pattern is refused (spec: Scan-specific codes; design section 7). */
const customPatternErrorCodes = [
  "required",
  "invalid_type",
  "invalid_enum",
  "too_short",
  "too_long",
  "too_many_patterns",
  "duplicate_name",
  "regex_syntax",
  "regex_unsupported_feature",
] as const;

/** One item of `custom_pattern_errors`. */
export const CustomPatternError = Type.Object(
  {
    field: Type.String({ description: "The pattern's member at fault." }),
    code: oneOf(customPatternErrorCodes, { description: "Safe to branch on." }),
    message: Type.String({ description: "Prose; do not branch on it." }),
    index: Type.Integer({ minimum: 0, description: "The pattern's position in the list." }),
    patternName: Type.Union([Type.String(), Type.Null()], {
      description: "The pattern's name; null where it has none.",
    }),
  },
  { description: "What is wrong with a custom pattern." },
);
export type CustomPatternError = Static<typeof CustomPatternError>;
