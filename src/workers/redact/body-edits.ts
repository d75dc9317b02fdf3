import { editEscaped } from "../../json/escaped-text.ts";
import type { Edit } from "../../json/splice.ts";
import { decodeString } from "../../json/string.ts";
import { MatchTally, type FoundCounts } from "./finding.ts";
import { searchJson, searchText, type SearchedText } from "./json-search.ts";
import type { RuleAction } from "./rules.ts";
import type { TextSearch } from "./text-search.ts";

/** The result of a policy's rules for one body. */
export interface BodyVerdict {
  readonly kind: "verdict";
  /** The strongest action of the findings; null: nothing was found. */
  readonly action: RuleAction | null;
  readonly found: FoundCounts;
  /** The edits that redact the body; empty if it is blocked. */
  readonly edits: readonly Edit[];
}

/** Collects the findings of the rules in the texts of one body, and the edits of its bytes. */
export class BodyEdits {
  readonly #bytes: Uint8Array;
  readonly #search: TextSearch;
  readonly #tally = new MatchTally();
  readonly #edits: Edit[] = [];

  constructor(bytes: Uint8Array, search: TextSearch) {
    this.#bytes = bytes;
    this.#search = search;
  }

  /**
   * The string between `start` and `end`, inside its quotes. `isJson`: its content is JSON, such as a
   * tool call's arguments. `isLocked`: it may not be edited, so a redaction blocks.
   */
  string(start: number, end: number, isJson = false, isLocked = false): void {
    const text = decodeString(this.#bytes, start, end);
    const searched = isJson ? searchJson(text, this.#search) : searchText(text, this.#search);
    this.#note(searched, isLocked);
    if (searched.edits.length === 0) return;
    const raw = Buffer.from(this.#bytes.subarray(start, end)).toString("utf8");
    this.#edits.push({ start, end, replacement: Buffer.from(editEscaped(raw, searched.edits)) });
  }

  /** The JSON value between `start` and `end`, which the model reads or writes as JSON text. */
  value(start: number, end: number): void {
    const json = Buffer.from(this.#bytes.subarray(start, end)).toString("utf8");
    const searched = searchJson(json, this.#search);
    this.#note(searched, false);
    let until = start;
    let passed = 0;
    for (const edit of searched.edits) {
      const from = until + Buffer.byteLength(json.slice(passed, edit.start));
      until = from + Buffer.byteLength(json.slice(edit.start, edit.end));
      passed = edit.end;
      this.#edits.push({ start: from, end: until, replacement: Buffer.from(edit.replacement) });
    }
  }

  /** Searches text that is not a JSON string and can't be edited. */
  locked(text: string): void {
    this.#note(searchText(text, this.#search), true);
  }

  get verdict(): BodyVerdict {
    const { action, counts } = this.#tally;
    return {
      kind: "verdict",
      action,
      found: counts,
      edits: action === "redact" ? this.#edits : [],
    };
  }

  #note({ findings }: SearchedText, isLocked: boolean): void {
    this.#tally.add(
      isLocked
        ? findings.map((finding) =>
            finding.action === "redact" ? { ...finding, action: "block" } : finding,
          )
        : findings,
    );
  }
}
