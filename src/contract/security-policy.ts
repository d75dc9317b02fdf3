import { Type, type Static } from "typebox";
import { CustomPattern } from "./custom-pattern.ts";
import { members, oneOf } from "./documented-schema.ts";
import { customPatternsMax } from "./limits.ts";
import { EntityCategory, entityCategories, Sensitivity } from "./scan.ts";

export const injectionActionDescription =
  "`block` refuses the request. `replace` puts a note in place of a harmful result of a tool, or of a file or page that a coding agent added to the user's text, so that the session goes on; what stands elsewhere is blocked. `flag` records the verdict only.";

/** The action of a policy for a prompt injection; there is no `off` (design section 7). */
export const InjectionRule = members(
  {
    action: oneOf(["block", "replace", "flag"], { description: injectionActionDescription }),
    sensitivity: Sensitivity,
  },
  { description: "What happens to a prompt injection." },
);
export type InjectionRule = Readonly<Static<typeof InjectionRule>>;

/** The action of a policy for one family of entities. */
export const EntityRule = members(
  {
    category: EntityCategory,
    action: oneOf(["flag", "redact", "block"], {
      description: "`flag` records, `redact` puts labels in place of values, `block` refuses.",
    }),
    direction: oneOf(["input", "output", "both"], {
      description: "Requests, answers or both.",
    }),
  },
  { description: "What happens to a family of entities." },
);
export type EntityRule = Readonly<Static<typeof EntityRule>>;

/** The most entity rules of a policy: one for each category in each direction. */
export const entityRulesMax = 2 * entityCategories.length;

/**
 * A security policy as it is stored, read and enforced. `version` grows with each change, so that a
 * remembered verdict of an earlier version is never used.
 */
export const SecurityPolicyDocument = members(
  {
    id: Type.String({ description: "Names the policy." }),
    orgId: Type.String({ description: "The organization." }),
    name: Type.String({ description: "Unique in its organization." }),
    version: Type.Integer({ minimum: 1, description: "Grows with each change." }),
    injection: InjectionRule,
    entities: Type.Array(EntityRule, {
      description: "Rules for families of entities; none: they are not looked for.",
      errorMessage: `a list of at most ${entityRulesMax} rules`,
      maxItems: entityRulesMax,
    }),
    customPatterns: Type.Array(Type.Required(CustomPattern), {
      description: "Patterns of the organization's own.",
      maxItems: customPatternsMax,
    }),
    dryRun: Type.Boolean({
      description: "Whether what the policy would do is recorded only.",
    }),
    createdAt: Type.String({ format: "date-time", description: "When it was created." }),
    updatedAt: Type.String({ format: "date-time", description: "When it was last changed." }),
  },
  { description: "What is looked for on the way to and from a provider, and what happens then." },
);
export type SecurityPolicyDocument = Readonly<Static<typeof SecurityPolicyDocument>>;
