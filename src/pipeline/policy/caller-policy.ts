import type { ApiKey } from "../../contract/identity.ts";
import type { InjectionRule, SecurityPolicyDocument } from "../../contract/security-policy.ts";
import { rulesOf, type PolicyRules } from "../../workers/redact/rules.ts";

/** What is enforced on one caller's requests and answers. */
export interface CallerPolicy {
  /** `default`: the configured one. */
  readonly id: string;
  readonly version: number;
  readonly injection: InjectionRule;
  /** What it would do is recorded, and nothing is done. */
  readonly dryRun: boolean;
  /** null: nothing is looked for but prompt injection. */
  readonly input: PolicyRules | null;
  /** null: answers pass unread. */
  readonly output: PolicyRules | null;
}

/** The configured policy, of callers without one of their own. */
export interface DefaultPolicy {
  readonly injection: InjectionRule;
}

/** A key's own policy, else its organization's; undefined: the default one. From memory. */
export type FindPolicy = (
  key: Pick<ApiKey, "orgId" | "securityPolicyId">,
) => SecurityPolicyDocument | undefined;

/** What decides on a caller's requests; the default one for who has no key. */
export function callerPolicy(
  key: Pick<ApiKey, "orgId" | "securityPolicyId"> | null,
  findPolicy: FindPolicy,
  fallback: DefaultPolicy,
): CallerPolicy {
  const document = key === null ? undefined : findPolicy(key);
  if (document === undefined) return withoutRules(fallback);
  const known = enforced.get(document) ?? enforcedForm(document);
  enforced.set(document, known);
  return known;
}

/** A document is replaced by each change, never altered. */
const enforced = new WeakMap<SecurityPolicyDocument, CallerPolicy>();

function enforcedForm(document: SecurityPolicyDocument): CallerPolicy {
  const { id, version, injection, dryRun } = document;
  return {
    id,
    version,
    injection,
    dryRun,
    input: rulesOf(document, "input"),
    output: rulesOf(document, "output"),
  };
}

function withoutRules({ injection }: DefaultPolicy): CallerPolicy {
  return { id: "default", version: 1, injection, dryRun: false, input: null, output: null };
}
