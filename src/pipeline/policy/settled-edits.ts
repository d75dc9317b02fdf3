import type { TextEdit } from "../../json/escaped-text.ts";
import { redactions, type Finding } from "../../workers/redact/finding.ts";

/**
 * What is redacted of a text that goes on in parts. All work together is linear in what was found and
 * in the parts, but for sorting: whatever waits, no part costs more than its own edits.
 */
export class SettledEdits {
  /** Found beyond what is decided, where more may come to stand before or over it. */
  #later: readonly Finding[] = [];
  /** In their order and apart from one another; those before `#next` lie behind the last part. */
  #edits: { readonly start: number; end: number; readonly replacement: string }[] = [];
  #next = 0;

  /** Before `decided` nothing more is found. What begins there is merged for good. */
  settle(findings: readonly Finding[], decided: number): void {
    const found = findings.filter(({ action }) => action === "redact");
    const all = this.#later.length === 0 ? found : [...this.#later, ...found];
    if (all.length === 0) return;
    this.#later = all.filter(({ start }) => start >= decided);
    this.#append(redactions(all.filter(({ start }) => start < decided)));
  }

  /** The edits of a text that is searched at once: sorted, and none overlaps another. */
  settleAll(edits: readonly TextEdit[]): void {
    this.#append(edits);
  }

  /**
   * The edits of the part between `from` and `to`, which is decided, by offsets in the part. Parts
   * must be asked for in their order, each once.
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
          // The token goes with the first of the text whose place it takes.
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

  /** Frees what lies behind, half of the list at a time: an edit is moved once on average. */
  #forget(): void {
    if (this.#next * 2 <= this.#edits.length) return;
    this.#edits = this.#edits.slice(this.#next);
    this.#next = 0;
  }
}
