import type { EntityCategory } from "../../contract/scan.ts";
import type { SecurityPolicyDocument } from "../../contract/security-policy.ts";

/** The actions for a match, the mildest first. */
export const ruleActions = ["flag", "redact", "block"] as const;
export type RuleAction = (typeof ruleActions)[number];

export interface EntityAction {
  readonly category: EntityCategory;
  readonly action: RuleAction;
}

export interface PatternRule {
  /** RE2 syntax that has been validated. */
  readonly regex: string;
  readonly action: RuleAction;
  readonly redactionToken: string;
}

/** A policy's rules for one direction, as plain data that can be sent to a thread. */
export interface PolicyRules {
  readonly entities: readonly EntityAction[];
  readonly patterns: readonly PatternRule[];
}

/** The rules of a policy for requests or for answers; null if there are none. */
export function rulesOf(
  { entities, customPatterns }: Pick<SecurityPolicyDocument, "entities" | "customPatterns">,
  direction: "input" | "output",
): PolicyRules | null {
  const applies = (rule: { readonly direction: "input" | "output" | "both" }): boolean =>
    rule.direction === direction || rule.direction === "both";
  const rules = {
    entities: strongest(entities.filter(applies)),
    patterns: customPatterns
      .filter(applies)
      .map(({ regex, action, redactionToken }) => ({ regex, action, redactionToken })),
  };
  return rules.entities.length + rules.patterns.length === 0 ? null : rules;
}

/** If a category has two rules, one `both` and one for the direction, the stronger one applies. */
function strongest(rules: readonly EntityAction[]): readonly EntityAction[] {
  const actions = new Map<EntityCategory, RuleAction>();
  for (const { category, action } of rules) {
    actions.set(category, stronger(action, actions.get(category) ?? action));
  }
  return Array.from(actions, ([category, action]) => ({ category, action }));
}

export function stronger(a: RuleAction, b: RuleAction): RuleAction {
  return ruleActions.indexOf(a) >= ruleActions.indexOf(b) ? a : b;
}
