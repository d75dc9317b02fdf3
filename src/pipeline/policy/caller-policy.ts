import type { ApiKey } from "../../contract/identity.ts";
import type { InjectionRule, SecurityPolicyDocument } from "../../contract/security-policy.ts";
import { rulesOf, type PolicyRules } from "../../workers/redact/rules.ts";

/** What is enforced on one caller's requests and answers. */
export interface CallerPolicy {
  /** `default` is the configured policy. */
  readonly id: string;
  readonly version: number;
  readonly injection: InjectionRule;
  /** If true, the policy's decisions are recorded and not carried out. */
  readonly dryRun: boolean;
  /** null if the policy looks only for prompt injection. */
  readonly input: PolicyRules | null;
  /** null if answers are not searched. */
  readonly output: PolicyRules | null;
}

/** The configured policy, for callers without a policy of their own. */
export interface DefaultPolicy {
  readonly injection: InjectionRule;
}

/** The key's own policy, else its organization's; undefined means the default policy. Read from memory. */
export type FindPolicy = (
  key: Pick<ApiKey, "orgId" | "securityPolicyId">,
) => SecurityPolicyDocument | undefined;

/** The policy that applies to a caller; the default policy for a caller without a key. */
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

/** Each change replaces the document. A document is never altered. */
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
