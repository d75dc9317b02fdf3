import type { FoundCounts } from "../../workers/redact/finding.ts";

/** The actions of a policy, from the weakest to the strongest. */
const policyActions = ["flag", "redact", "replace", "block"] as const;
export type PolicyAction = (typeof policyActions)[number];

/** What one policy decided on one request and its answer. It holds no text and nothing that reveals any. */
export interface PolicyRecord {
  readonly id: string;
  readonly version: number;
  readonly dryRun: boolean;
  /** The strongest action that was called for. A dry run does not carry it out. null if there was none. */
  action: PolicyAction | null;
  /** The same, separately for the request and the answer. Prompt injection is looked for only in requests. */
  readonly actions: { input: PolicyAction | null; output: PolicyAction | null };
  /** Texts of the request that were replaced, or in a dry run would have been; absent if none. */
  replaced?: number;
  /** Matches in the request; null if it was not searched. */
  input: FoundCounts | null;
  /** Matches in the answer, as far as it was read; null if it was not searched. */
  output: FoundCounts | null;
}

/** The policy that decides. */
export type DecidingPolicy = Pick<PolicyRecord, "id" | "version" | "dryRun">;

export function policyRecord({ id, version, dryRun }: DecidingPolicy): PolicyRecord {
  const actions = { input: null, output: null };
  return { id, version, dryRun, action: null, actions, input: null, output: null };
}

/** Notes an action that is called for in a request or in an answer. */
export function noteAction(
  record: PolicyRecord,
  direction: "input" | "output",
  action: PolicyAction,
): void {
  record.action = stronger(action, record.action ?? action);
  record.actions[direction] = stronger(action, record.actions[direction] ?? action);
}

function stronger(a: PolicyAction, b: PolicyAction): PolicyAction {
  return policyActions.indexOf(a) >= policyActions.indexOf(b) ? a : b;
}
