import type { FoundCounts } from "../../workers/policy/finding.ts";
import type { RuleAction } from "../../workers/policy/rules.ts";
import type { CallerPolicy } from "./caller-policy.ts";

/** What one policy decided on one request and its answer: no text, and nothing that tells of it. */
export interface PolicyRecord {
  readonly id: string;
  readonly version: number;
  readonly dryRun: boolean;
  /** The strongest action that was called for, in a dry run not taken; null: none. */
  action: RuleAction | null;
  /** Matches in the request; null: nothing was looked for. */
  input: FoundCounts | null;
  /** Matches in the answer, as far as it was read; null: nothing was looked for. */
  output: FoundCounts | null;
}

export function policyRecord({ id, version, dryRun }: CallerPolicy): PolicyRecord {
  return { id, version, dryRun, action: null, input: null, output: null };
}
