import type { BodyFormat } from "../scan-job.ts";
import type { BodyVerdict } from "./body-edits.ts";
import type { PolicyRules } from "./rules.ts";

/** A body that is searched for what a policy's rules name. */
export interface PolicyBodyJob {
  readonly kind: "request";
  readonly format: BodyFormat | "text";
  /** JSON that has been validated, or text. */
  readonly bytes: Uint8Array;
  readonly rules: PolicyRules;
}

export type PolicyJob = PolicyBodyJob;

export type PolicyTaskResult =
  | BodyVerdict
  /** A rule could not be applied to its end, so there is no verdict. */
  | { readonly kind: "gave_up" }
  /** For a reason of ours: where, and nothing of what was searched. */
  | { readonly kind: "failed"; readonly frames: string };
