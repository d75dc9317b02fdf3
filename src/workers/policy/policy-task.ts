import type { BodyFormat } from "../scan-job.ts";
import type { BodyVerdict } from "./body-edits.ts";
import type { PolicyRules } from "./rules.ts";

/** A request that is searched for what a policy's rules name. */
export interface PolicyRequestJob {
  readonly kind: "request";
  readonly format: BodyFormat | "text";
  /** JSON that has been validated, or text. */
  readonly bytes: Uint8Array;
  readonly rules: PolicyRules;
}

/** A whole answer. */
export interface PolicyAnswerJob {
  readonly kind: "answer";
  readonly format: "json" | "text";
  readonly bytes: Uint8Array;
  readonly rules: PolicyRules;
}

export type PolicyBodyJob = PolicyRequestJob | PolicyAnswerJob;
export type PolicyJob = PolicyBodyJob;

export type PolicyTaskResult =
  | BodyVerdict
  /** It is not what it says that it is. */
  | { readonly kind: "unreadable" }
  /** A rule could not be applied to its end, so there is no verdict. */
  | { readonly kind: "gave_up" }
  /** For a reason of ours: where, and nothing of what was searched. */
  | { readonly kind: "failed"; readonly frames: string };
