import type { CustomPatternError } from "../../contract/custom-pattern.ts";
import type { CustomPatternFinding, CustomPatternScan } from "../../contract/scan-response.ts";
import type { ReportJob } from "../report/report-job.ts";

/** One scan's custom patterns, as submitted, and what they are searched in. */
export interface PatternTask {
  readonly job: ReportJob;
  readonly patterns: unknown;
}

/** What the custom patterns of one scan found. */
export interface PatternReport {
  readonly kind: "found";
  readonly findings: readonly CustomPatternFinding[];
  readonly summary: CustomPatternScan;
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
