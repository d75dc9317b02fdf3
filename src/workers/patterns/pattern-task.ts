import type { CustomPatternError } from "../../contract/custom-pattern.ts";
import type { CustomPatternScan } from "../../contract/scan-response.ts";
import type { ReportJob } from "../report/report-job.ts";

/** One scan's custom patterns, as submitted, and the target of the search. */
export interface PatternTask {
  readonly job: ReportJob;
  readonly patterns: unknown;
}

/** The findings of one scan's custom patterns. */
export interface PatternReport {
  readonly kind: "found";
  /** The list of the contract's custom pattern findings. */
  readonly findingsJson: string;
  readonly summary: CustomPatternScan;
  /**
   * The place where the search stopped, in the target's bytes; later bytes were not searched. Null: it
   * did not stop.
   */
  readonly stoppedAt: number | null;
}

export type PatternTaskResult =
  | PatternReport
  | {
      readonly kind: "invalid";
      readonly errors: readonly CustomPatternError[];
      readonly errorsTruncated: number;
    }
  /** The time budget ran out, so there is no result. */
  | { readonly kind: "out_of_time" };
