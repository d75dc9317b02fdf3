import type { Segment, Sensitivity } from "../../contract/scan.ts";
import type { RequestFormat } from "../../contract/wire.ts";
import type { EntityCategory } from "../../detectors/entity.ts";

/** The caller's scan options that the detectors need. */
export interface ReportOptions {
  /** The category `prompt_injection`. */
  readonly injection: boolean;
  readonly sensitivity: Sensitivity;
  /** The entity categories; empty: none. */
  readonly entities: readonly EntityCategory[];
  /** null: each detector uses its calibrated threshold. */
  readonly entityScoreThreshold: number | null;
  /** The segment of those parts of direct input that don't name one. */
  readonly segment: Segment;
  /** True: custom patterns also search the text, so it counts as scanned. */
  readonly customPatterns: boolean;
}

/** The target of the scan: direct input, or a provider request in its format. */
export type ReportTarget = "input" | RequestFormat;

/** A scan whose findings are reported (spec: Scan response). */
export interface ReportJob {
  readonly kind: "report";
  readonly target: ReportTarget;
  /** The target's JSON, validated. */
  readonly bytes: Uint8Array;
  readonly options: ReportOptions;
  /**
   * The place where the custom patterns stopped; they have searched no later byte. Absent: they did not
   * stop.
   */
  readonly patternsStoppedAt?: number;
  /** Verdicts are remembered for this organization alone. */
  readonly orgId?: string;
}
