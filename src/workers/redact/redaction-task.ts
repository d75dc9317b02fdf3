import type { BodyFormat } from "../pool/scan-job.ts";
import type { BodyVerdict } from "./body-edits.ts";
import type { MaskedText } from "./mask.ts";
import type { PolicyRules } from "./rules.ts";
import type { TextStep, TextStepResult } from "./step-search.ts";

/** A request that is searched by a policy's rules. */
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
/** The texts of a stream, each with the part received so far. */
export interface PolicyStepsJob {
  readonly kind: "steps";
  readonly steps: readonly TextStep[];
  readonly rules: PolicyRules;
}

/** Readable content that is masked before somebody sees it. */
export interface MaskJob {
  readonly kind: "mask";
  readonly text: string;
  /** The text is only the beginning of a body. */
  readonly isCut: boolean;
  readonly rules: PolicyRules;
}

export type PolicyJob = PolicyBodyJob | PolicyStepsJob | MaskJob;

export type PolicyTaskResult =
  | BodyVerdict
  | MaskedText
  | { readonly kind: "steps"; readonly results: readonly TextStepResult[] }
  /** The body does not match its declared type. */
  | { readonly kind: "unreadable" }
  /**
   * There is more text or there are more findings than the bounds allow. Another try would not
   * help.
   */
  | { readonly kind: "too_much" }
  /** A rule could not be applied to its end, so there is no verdict. */
  | { readonly kind: "gave_up" }
  /** An internal failure: its place in the code, and nothing of the searched text. */
  | { readonly kind: "failed"; readonly frames: string };
