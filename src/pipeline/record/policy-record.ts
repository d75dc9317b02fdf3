import type { FoundCounts } from "../../workers/redact/finding.ts";

/** What a policy can do, the stronger later. */
const policyActions = ["flag", "redact", "replace", "block"] as const;
export type PolicyAction = (typeof policyActions)[number];

/** What one policy decided on one request and its answer: no text, and nothing that tells of it. */
export interface PolicyRecord {
  readonly id: string;
  readonly version: number;
  readonly dryRun: boolean;
  /** The strongest action that was called for, in a dry run not taken; null: none. */
  action: PolicyAction | null;
  /** The same for requests and for answers alone; prompt injection is found in requests. */
  readonly actions: { input: PolicyAction | null; output: PolicyAction | null };
  /** Texts of the request that were replaced, or in a dry run would have been; absent: none. */
  replaced?: number;
  /** Matches in the request; null: nothing was looked for. */
  input: FoundCounts | null;
  /** Matches in the answer, as far as it was read; null: nothing was looked for. */
  output: FoundCounts | null;
}

/** The policy that decides. */
export type DecidingPolicy = Pick<PolicyRecord, "id" | "version" | "dryRun">;

export function policyRecord({ id, version, dryRun }: DecidingPolicy): PolicyRecord {
  const actions = { input: null, output: null };
  return { id, version, dryRun, action: null, actions, input: null, output: null };
}

/** Notes what is called for in a request or in an answer. */
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
