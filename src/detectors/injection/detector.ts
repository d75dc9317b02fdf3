import type { Segment } from "../../contract/scan.ts";

/**
 * The kind of a text that is scored: a segment of the contract, or `harness`. A coding agent puts `harness` text
 * into the user role by itself, such as rule files, fetched pages and the output of commands (docs/decisions/0035).
 */
export type ScoredSegment = Segment | "harness";

/** Scores text for prompt injection. All implementations have this interface. */
export interface InjectionDetector {
  /** Changes whenever a score may change. */
  readonly version: string;
  /**
   * How likely the text is a prompt injection, 0 to 1. `utf8` has at most `injectionTextBytesMax`
   * bytes; ill-formed bytes are read as U+FFFD. The caller cuts longer text into overlapping
   * pieces. The same bytes always get the same score. Throws, or returns NaN, if no score can be
   * computed.
   */
  score(utf8: Buffer, segment: ScoredSegment): number;
}
