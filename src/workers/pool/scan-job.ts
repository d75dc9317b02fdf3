import type {
  DetectionLocation,
  InjectionResult,
  Segment,
  Sensitivity,
} from "../../contract/scan.ts";
import type { ProviderFormat } from "../../contract/wire.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { ScanReport } from "../report/reporter.ts";

/** How a request body is read: by a provider's schema, or as JSON of unknown shape. */
export type BodyFormat = ProviderFormat | "json";

interface Scan {
  readonly sensitivity: Sensitivity;
  /** Scores are remembered for this organization only; without it nothing is remembered. */
  readonly orgId?: string;
}

/** A request body on its way to a provider: JSON that has been validated, with unique members. */
export interface ProviderRequestJob extends Scan {
  readonly kind: "provider_request";
  readonly format: BodyFormat;
  /**
   * Read in place if it is backed by a SharedArrayBuffer, so it must not change until the scan ends.
   */
  readonly bytes: Uint8Array;
  /** True: harmful results of tools are replaced and are not part of the verdict. */
  readonly replaces?: boolean;
}

/** A request body that is not JSON. All of it is one text of a tool. */
export interface TextJob extends Scan {
  readonly kind: "text";
  /** UTF-8; ill-formed sequences are read as U+FFFD. */
  readonly bytes: Uint8Array;
}

/** A scan for a verdict, on a request's way to a provider. */
export type ScanJob = ProviderRequestJob | TextJob;

/** Whatever a worker does. */
export type WorkerJob = ScanJob | ReportJob;
export type WorkerResult = ScanResult | ScanReport;

/** Where the text with the highest score stands. */
export interface WorstLeaf {
  readonly location: DetectionLocation;
  /** The location as people read it: printable ASCII, at most `placeLabelBytesMax` bytes. */
  readonly label: string;
  readonly segment: Segment;
  /** A description of the text for people. */
  readonly subject: string;
}

/** A text to replace: its byte range in the request, the end exclusive. */
export interface Replaced {
  readonly start: number;
  readonly end: number;
  /**
   * True: the range is a whole JSON value, which a string replaces. False: it is a string's contents.
   */
  readonly isValue: boolean;
}

/** For a job that `replaces`: the texts to replace, and the verdict on the rest. */
export interface Replacement {
  readonly texts: readonly Replaced[];
  readonly rest: Pick<ScanVerdict, "injection" | "worst">;
}

/** What a scan for a verdict is asked for. */
export interface ScanVerdict {
  readonly injection: InjectionResult;
  /** null: all is allowed, the place must not be told, or no score could be computed. */
  readonly worst: WorstLeaf | null;
  /** Absent: nothing is to be replaced. */
  readonly replacement?: Replacement;
  /** Milliseconds that the scan waited for a thread. Set by the pool. */
  readonly queuedMs?: number;
}

export interface ScanResult extends ScanVerdict {
  readonly kind: "verdict";
  /** The number of texts that a model would read, scored or not. */
  readonly leaves: number;
}
