import { Type, type Static } from "typebox";
import { members } from "../documented-schema.ts";
import { LimitType, TimeWindowName, UsageLimit } from "../usage-limit.ts";
import { dataOf, id, listOf, name, nullable } from "./fields.ts";

const apiKeyId = nullable(
  id("A key of the organization."),
  "The one key that it counts; null: all keys of the organization.",
  "the id of a key",
);

const orgId = id("An organization on a paid plan.");

const threshold = Type.String({
  description:
    "The cap: positive US dollars with at most 6 places for `cost`, else a whole number.",
  maxLength: 32,
  errorMessage: "a numeric string",
  examples: ["50.00", "1000000"],
});

const enabled = Type.Boolean({
  description: "A disabled limit is stored but not checked.",
  errorMessage: "true or false",
});

/** spec: Usage limit. */
export const CreateUsageLimit = members(
  {
    orgId,
    name: name("A label."),
    limitType: LimitType,
    threshold,
    timeWindow: TimeWindowName,
    apiKeyId: Type.Optional(apiKeyId),
    enabled: Type.Optional({ ...enabled, default: true }),
  },
  { description: "A usage limit to be made." },
);
export type CreateUsageLimit = Static<typeof CreateUsageLimit>;

/** spec: Keys API: the same fields as create, all optional. */
export const UpdateUsageLimit = members(
  {
    orgId: Type.Optional(orgId),
    name: Type.Optional(name("A label.")),
    limitType: Type.Optional(LimitType),
    threshold: Type.Optional(threshold),
    timeWindow: Type.Optional(TimeWindowName),
    apiKeyId: Type.Optional(apiKeyId),
    enabled: Type.Optional(enabled),
  },
  { description: "What is to be another; what is left out stays." },
);
export type UpdateUsageLimit = Static<typeof UpdateUsageLimit>;

/** spec: Usage view. */
export const UsageView = members(
  {
    limitId: id("The limit."),
    limitType: LimitType,
    threshold: Type.String({ description: "The cap, as it was set." }),
    currentUsage: Type.String({
      description: "The use in the window until now: US dollars for `cost`, else a whole number.",
    }),
    timeWindow: TimeWindowName,
    exceeded: Type.Boolean({
      description: "Whether the cap is reached, so that the next request is refused.",
    }),
  },
  { description: "How much of a usage limit is used." },
);
export type UsageView = Static<typeof UsageView>;

export const UsageLimitAnswer = dataOf(UsageLimit, "A usage limit.");
export type UsageLimitAnswer = Static<typeof UsageLimitAnswer>;

/** A row of the list: the limit and, with `include=usage`, its use. */
export const ListedUsageLimit = members(
  { ...UsageLimit.properties, usage: Type.Optional(UsageView) },
  { description: "A usage limit; with `include=usage` together with its use." },
);
export type ListedUsageLimit = Static<typeof ListedUsageLimit>;
export const UsageLimitList = listOf(ListedUsageLimit, "Usage limits.");
export type UsageLimitList = Static<typeof UsageLimitList>;
export const UsageAnswer = dataOf(UsageView, "The use of a limit.");
export type UsageAnswer = Static<typeof UsageAnswer>;
