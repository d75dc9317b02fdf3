import type { Segment } from "../../contract/scan.ts";

/**
 * One thing that prompt injections say. It sees normalized text (normalize.ts) whatever its case,
 * in pieces of a few kilobytes, so it must not be anchored and must match within a few hundred
 * characters.
 */
export interface InjectionPattern {
  readonly id: string;
  /** A short noun for people. */
  readonly label: string;
  readonly category: "prompt_injection";
  /** Every match holds at least one of them, in lower case. */
  readonly keywords: readonly string[];
  /** RE2 syntax. `\b` and `\w` know ASCII only. */
  readonly pattern: string;
  /** How sure one match makes, 0 to 1. Text from tools has no business giving orders. */
  readonly score: Readonly<Record<Segment, number>>;
  readonly positives: readonly string[];
  readonly negatives: readonly string[];
}
