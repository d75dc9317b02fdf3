import { entityCategories, type EntityCategory } from "../../contract/scan.ts";
import type { TextEdit } from "../../json/escaped-text.ts";
import { stronger, type RuleAction } from "./rules.ts";

/** The kinds of findings: an entity of a category, or a match of any custom pattern. */
export type FoundKind = EntityCategory | "custom_pattern";
const foundKinds: readonly FoundKind[] = [...entityCategories, "custom_pattern"];
export type FoundCounts = Readonly<Partial<Record<FoundKind, number>>>;

/** Adds the counts of two searches. */
export function addCounts(one: FoundCounts | null, other: FoundCounts): FoundCounts {
  const counts: Partial<Record<FoundKind, number>> = { ...one };
  for (const kind of foundKinds) {
    const sum = (one?.[kind] ?? 0) + (other[kind] ?? 0);
    if (sum > 0) counts[kind] = sum;
  }
  return counts;
}

/** A match and what its rule does about it; offsets in UTF-16 code units, `end` exclusive. */
export interface Finding {
  readonly kind: FoundKind;
  readonly action: RuleAction;
  /** The text that replaces it in a redaction. */
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The edits that remove the redacted matches. Overlapping matches are replaced as one, with the token
 * of the first, so no part of any match is left.
 */
export function redactions(findings: readonly Finding[]): readonly TextEdit[] {
  const edits: { start: number; end: number; replacement: string }[] = [];
  const redacted = findings.filter(({ action }) => action === "redact");
  for (const { start, end, token } of redacted.toSorted(byPlace)) {
    const last = edits.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else edits.push({ start, end, replacement: token });
  }
  return edits;
}

/** The order does not depend on the steps in which matches were found. */
export function byPlace(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end || (a.token < b.token ? -1 : a.token > b.token ? 1 : 0);
}

/** The findings of several texts: their number, and the strongest action. */
export class MatchTally {
  action: RuleAction | null = null;
  readonly #counts = new Map<FoundKind, number>();

  add(findings: readonly Finding[]): void {
    for (const { kind, action } of findings) {
      this.action = stronger(action, this.action ?? action);
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    }
  }

  get counts(): FoundCounts {
    return Object.fromEntries(this.#counts);
  }
}
