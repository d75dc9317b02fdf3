import { Type, type Static } from "typebox";
import { CustomPatternError } from "./custom-pattern.ts";
import { members, oneOf } from "./documented-schema.ts";
import { errorCodes, errorSources } from "./errors.ts";

const optionalText = (description: string) => Type.Optional(Type.String({ description }));
const optionalCount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, description }));
const optionalTexts = (description: string) =>
  Type.Optional(Type.Immutable(Type.Array(Type.String(), { description })));

/** The object in an envelope (spec: Error envelope; Gateway codes; Balance refusals). */
export const ErrorObject = Type.Object(
  {
    code: Type.Enum(errorCodes, { description: "Stable and safe to branch on." }),
    message: Type.String({ description: "Prose; do not branch on it." }),
    source: oneOf(errorSources, {
      description:
        "Who has to act. Retry `provider` with backoff; the others after the cause is gone, unless `retryable` says otherwise.",
    }),
    type: optionalText(
      "`permission_error` on a security block; on /v1/messages what that wire calls an error of this status.",
    ),
    retryable: Type.Optional(
      Type.Boolean({ description: "Whether the same request may succeed later, unchanged." }),
    ),
    retryAfter: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "Seconds on balance and billing refusals; on a rate-limit 429 the value of `X-RateLimit-Reset`.",
      }),
    ),
    correlation_id: optionalText("Keep it for support."),
    queued: optionalCount("What is queued already."),
    limit: optionalCount("The limit that was exceeded; on 413 the body cap in bytes."),
    param: optionalText("The member of the request at fault."),
    requested_model: optionalText("On `no_route`: the model that was asked for."),
    suggested_models: optionalTexts("On `no_route`: models with the nearest names."),
    available_provider_types: optionalTexts("On `no_route`: types of configured accounts."),
    available_account_names: optionalTexts("On `no_route`: names of configured accounts."),
    limitType: Type.Optional(
      oneOf(["cost", "tokens", "requests"], {
        description: "On `usage_limit_exceeded` and `budget_exceeded`: what is limited.",
      }),
    ),
    threshold: optionalText(
      "On `usage_limit_exceeded` and `budget_exceeded`: the limit, a decimal string. On `security_blocked`: the score that blocks.",
    ),
    currentUsage: optionalText(
      "On `usage_limit_exceeded` and `budget_exceeded`: what was used and what requests in flight may use, a decimal string.",
    ),
    timeWindow: Type.Optional(
      oneOf(["hour", "day", "week", "month"], {
        description: "On `usage_limit_exceeded` and `budget_exceeded`: the rolling window.",
      }),
    ),
    location: optionalText(
      "On `security_blocked` for a prompt injection: where the text stands, such as `messages[4].content[0]`. A name that no provider has is told by its position, as in `metadata.{0}`.",
    ),
    score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "On `security_blocked` for a prompt injection: the score, with two decimals; `threshold` is the score that blocks.",
      }),
    ),
    custom_pattern_errors: Type.Optional(
      Type.Immutable(
        Type.Array(CustomPatternError, {
          description: "On invalid custom patterns: the first 10 faults.",
        }),
      ),
    ),
    custom_pattern_errors_truncated: optionalCount("How many more faults there are."),
    balanceCents: Type.Optional(
      Type.Integer({ description: "On balance refusals: the balance, rounded down." }),
    ),
    availableCents: Type.Optional(
      Type.Integer({ description: "On balance refusals: what no request in flight holds." }),
    ),
    estimatedCostCents: optionalCount("On balance refusals: the worst-case cost."),
    billingUrl: optionalText("On balance refusals: where the balance is looked after."),
    reason: optionalText(
      "On balance refusals: `cost_unbounded` where no worst-case cost could be computed.",
    ),
  },
  { description: "What went wrong, and who has to act." },
);
export type ErrorObject = Static<typeof ErrorObject>;

/** The body of every error (spec: Errors), except `MessagesSecurityBlock`. */
export const ErrorEnvelope = Type.Object(
  {
    type: Type.Optional(
      Type.Literal("error", { description: "On /v1/messages, whose clients look for it." }),
    ),
    error: ErrorObject,
  },
  { description: "Every error of the gateway." },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

/** The body of a security block on /v1/messages, the form that wire's SDKs know (spec: Errors). */
export const MessagesSecurityBlock = members(
  {
    type: Type.Literal("error"),
    error: members(
      {
        type: Type.Literal("permission_error"),
        message: Type.String({ description: "Prose; do not branch on it." }),
      },
      { description: "The block." },
    ),
  },
  { description: "A security block on /v1/messages." },
);
export type MessagesSecurityBlock = Static<typeof MessagesSecurityBlock>;
