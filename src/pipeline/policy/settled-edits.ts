import type { TextEdit } from "../../json/escaped-text.ts";
import { redactions, type Finding } from "../../workers/redact/finding.ts";

/**
 * The redactions of a text that comes in parts. Apart from sorting, the total work is linear in the number of
 * findings and parts. However much waits, no part costs more than its own edits.
 */
export class SettledEdits {
  /** Findings after the decided part. Later findings may still come before or overlap them. */
  #later: readonly Finding[] = [];
  /** Sorted, without overlaps. Edits before `#next` end before the last part that was asked for. */
  #edits: { readonly start: number; end: number; readonly replacement: string }[] = [];
  #next = 0;

  /** Before `decided`, no more findings will come. Findings that begin before it are merged for good. */
  settle(findings: readonly Finding[], decided: number): void {
    const found = findings.filter(({ action }) => action === "redact");
    const all = this.#later.length === 0 ? found : [...this.#later, ...found];
    if (all.length === 0) return;
    this.#later = all.filter(({ start }) => start >= decided);
    this.#append(redactions(all.filter(({ start }) => start < decided)));
  }

  /** The edits of a text that is searched all at once. They are sorted, and none overlaps another. */
  settleAll(edits: readonly TextEdit[]): void {
    this.#append(edits);
  }

  /**
   * The edits of the part between `from` and `to`, with offsets inside the part. The part must be decided.
   * Parts must be asked for in order, each once.
   */
  within(from: number, to: number): readonly TextEdit[] {
    const within: TextEdit[] = [];
    for (let edit = this.#edits[this.#next]; edit !== undefined; edit = this.#edits[this.#next]) {
      const { start, end, replacement } = edit;
      if (start >= to) break;
      if (end > from) {
        within.push({
          start: Math.max(start, from) - from,
          end: Math.min(end, to) - from,
          // If several parts share one replaced text, the token replaces its beginning, in the first part.
          replacement: start >= from ? replacement : "",
        });
      }
      if (end > to) break;
      this.#next += 1;
    }
    this.#forget();
    return within;
  }

  #append(edits: readonly TextEdit[]): void {
    for (const { start, end, replacement } of edits) {
      const last = this.#edits.at(-1);
      if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
      else this.#edits.push({ start, end, replacement });
    }
  }

  /** Frees the edits before `#next`, half of the list at a time, so each edit is moved once on average. */
  #forget(): void {
    if (this.#next * 2 <= this.#edits.length) return;
    this.#edits = this.#edits.slice(this.#next);
    this.#next = 0;
  }
}
