/** Replaces `[start, end)` of a text, in UTF-16 code units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The text with the edits applied, which are sorted and don't overlap. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  let edited = "";
  let from = 0;
  for (const { start, end, replacement } of edits) {
    edited += text.slice(from, start) + replacement;
    from = end;
  }
  return edited + text.slice(from);
}

/**
 * Edits a JSON string in its escaped form: `raw` is the text between its quotes, the edits' offsets
 * count in the decoded text. Other parts keep their spelling.
 */
export function editEscaped(raw: string, edits: readonly TextEdit[]): string {
  const spelling = new Spelling(raw);
  return editText(
    raw,
    edits.map(({ start, end, replacement }) => ({
      start: spelling.offset(start),
      end: spelling.offset(end),
      replacement: escaped(replacement),
    })),
  );
}

/** A text in the form between the quotes of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The offsets of a JSON string's code units in its escaped form. */
export class Spelling {
  /** For each code unit, and one more after the last; null: nothing is escaped. */
  readonly #offsets: Uint32Array | null;

  /** `raw` is the text between the quotes of a valid string. */
  constructor(raw: string) {
    this.#offsets = raw.includes("\\") ? offsetsOf(raw) : null;
  }

  /** Of a decoded text's code unit. */
  offset(decoded: number): number {
    return this.#offsets === null ? decoded : (this.#offsets[decoded] ?? 0);
  }
}

function offsetsOf(raw: string): Uint32Array {
  const offsets = new Uint32Array(raw.length + 1);
  let units = 0;
  for (let at = 0; at < raw.length; units++) {
    offsets[units] = at;
    at += raw[at] !== "\\" ? 1 : raw[at + 1] === "u" ? 6 : 2;
  }
  offsets[units] = raw.length;
  return offsets.subarray(0, units + 1);
}
