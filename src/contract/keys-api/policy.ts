import { Type, type Static } from "typebox";
import { CustomPattern } from "../custom-pattern.ts";
import { members, oneOf } from "../documented-schema.ts";
import { customPatternsMax } from "../limits.ts";
import { Sensitivity, sensitivityDefault } from "../scan.ts";
import {
  EntityRule,
  entityRulesMax,
  injectionActionDescription,
  SecurityPolicyDocument,
} from "../security-policy.ts";
import { dataOf, id, listOf, name, nullable } from "./fields.ts";

const injection = members(
  {
    action: Type.Optional({
      ...oneOf(["block", "replace", "flag"], { description: injectionActionDescription }),
      default: "block",
    }),
    sensitivity: Type.Optional({ ...Sensitivity, default: sensitivityDefault }),
  },
  { description: "What happens to a prompt injection. There is no `off`." },
);

const entities = Type.Array(EntityRule, {
  description: "Rules for families of entities, each family once a direction.",
  errorMessage: `a list of at most ${entityRulesMax} rules`,
  maxItems: entityRulesMax,
});

const customPatterns = Type.Array(CustomPattern, {
  description: "Patterns of the organization's own. One that is invalid refuses the policy.",
  maxItems: customPatternsMax,
});

const dryRun = Type.Boolean({
  description: "Record what the policy would do, and do nothing.",
  errorMessage: "true or false",
});

/** `customPatterns` has its own error codes, so it is checked separately. */
export const CreatePolicy = members(
  {
    orgId: id("The organization."),
    name: name("Unique in its organization."),
    injection: Type.Optional(injection),
    entities: Type.Optional(entities),
    customPatterns: Type.Optional(customPatterns),
    dryRun: Type.Optional({ ...dryRun, default: false }),
  },
  { description: "A security policy to be made." },
);
export type CreatePolicy = Static<typeof CreatePolicy>;

export const UpdatePolicy = members(
  {
    name: Type.Optional(name("Unique in its organization.")),
    injection: Type.Optional(injection),
    entities: Type.Optional(entities),
    customPatterns: Type.Optional(customPatterns),
    dryRun: Type.Optional(dryRun),
  },
  { description: "What is to be another; what is left out stays." },
);
export type UpdatePolicy = Static<typeof UpdatePolicy>;

/** A policy as the API shows it; the file's default one has the id `default`. */
export const Policy = members(
  {
    ...SecurityPolicyDocument.properties,
    orgId: nullable(Type.String(), "The organization; null: the default of all.", "an id"),
    source: oneOf(["file", "api"], {
      description: "`file`: it stands in the configuration file and is read-only here.",
    }),
  },
  { description: "A security policy." },
);
export type Policy = Static<typeof Policy>;

export const PolicyAnswer = dataOf(Policy, "A security policy.");
export type PolicyAnswer = Static<typeof PolicyAnswer>;
export const PolicyList = listOf(Policy, "Security policies.");
export type PolicyList = Static<typeof PolicyList>;
