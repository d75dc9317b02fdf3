import type { Segment } from "../../contract/scan.ts";

/** What scores text for prompt injection; the one interface, whatever stands behind it. */
export interface InjectionDetector {
  /** Changes whenever a score may change. */
  readonly version: string;
  /**
   * How likely the text injects a prompt, 0 to 1. `utf8` has at most
   * `injectionTextBytesMax` bytes, ill-formed ones read as U+FFFD; the caller cuts longer text into
   * overlapping pieces. The same bytes always score the same. Throws, or returns NaN, where no
   * score can be computed.
   */
  score(utf8: Buffer, segment: Segment): number;
}
