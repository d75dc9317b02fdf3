import { maskedTailCharsMin } from "../../contract/limits.ts";
import { entityCategories } from "../../contract/scan.ts";
import { editText, type TextEdit } from "../../json/escaped-text.ts";
import type { Finding } from "./finding.ts";
import type { WholeSearch } from "./json-search.ts";
import { hasEvents, maskLines } from "./mask-lines.ts";
import { valueEdits, wholeJson } from "./mask-value.ts";
import type { PolicyRules } from "./rules.ts";

/** A text with labels in place of what the detectors have found in it. */
export interface MaskedText {
  readonly kind: "masked";
  readonly text: string;
  /** How often each label stands in it. */
  readonly found: Readonly<Record<string, number>>;
}

/** Everything that the detectors know. */
export const maskRules: PolicyRules = {
  entities: entityCategories.map((category) => ({ category, action: "redact" })),
  patterns: [],
};

/**
 * Masks a body: JSON of any shape, a stream of events, lines of JSON, or text. Strings are searched as a reader
 * understands them, whatever their escapes; a value that a stream spells in several events is found too. Media
 * become a label. Throws `PatternsGaveUp` if the search can't be completed.
 * @param isCut the text is only the beginning of a body. Its last characters are left out, because nobody can tell
 * what a value was whose end is missing.
 */
export function mask(text: string, isCut: boolean, search: WholeSearch): MaskedText {
  const edits = editsOf(text, isCut, new RememberedSearch(search));
  const end = isCut ? Math.max(0, text.length - maskedTailCharsMin) : text.length;
  const shown = edits.filter(({ start }) => start < end);
  const until = Math.max(end, shown.at(-1)?.end ?? 0);
  return { kind: "masked", text: editText(text.slice(0, until), shown), found: tally(shown) };
}

function editsOf(text: string, isCut: boolean, search: WholeSearch): readonly TextEdit[] {
  const isLines = wholeJson(text, isCut) === null && hasEvents(text);
  return isLines ? maskLines(text, isCut, search) : valueEdits(text, isCut, search);
}

function tally(edits: readonly TextEdit[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { replacement } of edits) {
    for (const [, label = ""] of replacement.matchAll(/<([A-Z][A-Z0-9_]*)>/g)) {
      found[label] = (found[label] ?? 0) + 1;
    }
  }
  return found;
}

/** Events of a stream repeat most of their texts. */
class RememberedSearch implements WholeSearch {
  readonly #search: WholeSearch;
  readonly #found = new Map<string, readonly Finding[]>();

  constructor(search: WholeSearch) {
    this.#search = search;
  }

  whole(text: string): readonly Finding[] {
    const known = this.#found.get(text);
    if (known !== undefined) return known;
    const found = this.#search.whole(text);
    this.#found.set(text, found);
    return found;
  }
}
