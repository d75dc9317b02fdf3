import { escaped, Spelling, type TextEdit } from "../../json/escaped-text.ts";
import { isPlainObject } from "../../contract/plain-object.ts";
import { isJson, isMedium, searchText, type WholeSearch } from "./json-search.ts";
import { jsonTokens, tokenText, type JsonToken } from "./json-tokens.ts";
import { mediumLabel, valueEdits, wholeJson } from "./mask-value.ts";

/** A part of a text that goes on in other lines. */
interface Piece {
  /** Its place in the body. */
  readonly start: number;
  /** As a reader understands it. */
  readonly text: string;
  readonly spelling: Spelling;
  readonly isJson: boolean;
}

const dataField = /^data: ?/;

/** Whether a text is the events of a stream, or JSON of one value a line. */
export function hasEvents(text: string): boolean {
  return linesOf(text).some(({ payload, isData }) => isData || isJson(payload));
}

/**
 * The edits of a body whose lines are JSON. What stands at the same place in several events is one text, so that a
 * value is found whose parts came one by one.
 */
export function maskLines(text: string, isCut: boolean, search: WholeSearch): readonly TextEdit[] {
  const editsOf = (value: string) => valueEdits(value, false, search);
  const texts = new Map<string, Piece[]>();
  // An entity may go over lines that are no event after all.
  const edits: TextEdit[] = [...searchText(text, search).edits];
  const alone = (piece: Piece): void => {
    edits.push(...spread([piece], editsOf(piece.text)));
  };
  for (const { start, payload, isData } of linesOf(text)) {
    const isLast = start + payload.length === text.length;
    const json = wholeJson(payload, isCut && isLast);
    if (json === null) {
      // Lines of plain text read on; events of plain text are parts of one.
      const plain = isData ? payload : `${payload}\n`;
      add(texts, isData ? "data" : "lines", {
        start,
        text: plain,
        spelling: new Spelling(""),
        isJson: false,
      });
      continue;
    }
    const parsed: unknown = JSON.parse(json);
    for (const { token, path } of placedTokens(json)) {
      const at = start + token.start;
      if (isMedium(token)) {
        edits.push({ start: at, end: at + token.raw.length, replacement: mediumLabel });
      } else if (!token.isString) {
        const found = editsOf(token.raw);
        const replacement = JSON.stringify(found.map((one) => one.replacement).join(""));
        if (found.length > 0) edits.push({ start: at, end: at + token.raw.length, replacement });
      } else {
        const piece = { start: at, text: tokenText(token), spelling: token.spelling, isJson: true };
        if (path === null) alone(piece);
        else add(texts, nameOf(parsed, path), piece);
      }
    }
  }
  for (const pieces of texts.values()) {
    const [first] = pieces;
    // What every event repeats is no text in parts.
    if (first !== undefined && pieces.every((one) => one.text === first.text))
      pieces.forEach(alone);
    else edits.push(...spread(pieces, editsOf(pieces.map((one) => one.text).join(""))));
  }
  return merged(edits);
}

/** Edits that overlap become one, with the first label. */
function merged(edits: readonly TextEdit[]): readonly TextEdit[] {
  const separate: { start: number; end: number; replacement: string }[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = separate.at(-1);
    if (last === undefined || edit.start >= last.end) separate.push({ ...edit });
    else {
      last.end = Math.max(last.end, edit.end);
      if (last.replacement === "") last.replacement = edit.replacement;
    }
  }
  return separate;
}

function add(texts: Map<string, Piece[]>, name: string, piece: Piece): void {
  const pieces = texts.get(name);
  if (pieces === undefined) texts.set(name, [piece]);
  else pieces.push(piece);
}

/** The edits of a text in several pieces, by their places in the body. The first piece gets the label. */
function spread(pieces: readonly Piece[], edits: readonly TextEdit[]): readonly TextEdit[] {
  const found: TextEdit[] = [];
  let passed = 0;
  let next = 0;
  for (const { start: place, text, spelling, isJson: isString } of pieces) {
    const until = passed + text.length;
    for (let at = next; at < edits.length; at += 1) {
      const edit = edits[at];
      if (edit === undefined || edit.start >= until) break;
      if (edit.end <= until) next = at + 1;
      const from = Math.max(edit.start, passed);
      if (from >= edit.end) continue;
      const replacement = edit.start >= passed ? edit.replacement : "";
      const inBody = (offset: number): number =>
        place + (isString ? spelling.offset(offset - passed) : offset - passed);
      found.push({
        start: inBody(from),
        end: inBody(Math.min(edit.end, until)),
        replacement: isString ? escaped(replacement) : replacement,
      });
    }
    passed = until;
  }
  return found;
}

interface Line {
  /** Where its payload begins in the text. */
  readonly start: number;
  readonly payload: string;
  readonly isData: boolean;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const field = dataField.exec(line)?.[0].length ?? 0;
    const payload = line.slice(field);
    lines.push({ start: start + field, payload, isData: field > 0 });
    start += line.length + 1;
  }
  return lines;
}

/** The tokens of a JSON text and the way to each; null: the token is a key. */
function* placedTokens(
  json: string,
): Generator<{ readonly token: JsonToken; readonly path: readonly (string | number)[] | null }> {
  const path: (string | number)[] = [];
  let at = 0;
  for (const token of jsonTokens(json)) {
    // Between tokens there is punctuation, and nothing that a caller can say.
    for (const character of json.slice(at, token.start)) {
      if (character === "{") path.push("");
      else if (character === "[") path.push(0);
      else if (character === "}" || character === "]") path.pop();
      else if (character === ",") path.push(nextOf(path.pop() ?? ""));
    }
    at = token.start + token.raw.length;
    const isKey = token.isString && /^"\s*:/.test(json.slice(at, at + 16));
    if (isKey) path[path.length - 1] = token.raw;
    yield { token, path: isKey ? null : [...path] };
  }
}

function nextOf(place: string | number): string | number {
  return typeof place === "number" ? place + 1 : place;
}

/** What tells texts of one stream apart, besides the way to them: the provider's own numbers of its parts. */
const partMembers = ["index", "item_id", "output_index", "content_index", "summary_index"];
/** A block of a message begins in the one and goes on in the other. */
const blockMembers = new Set<string | number>(["content_block", "delta"]);

function nameOf(event: unknown, path: readonly (string | number)[]): string {
  const [first = "", ...rest] = path;
  let inside: unknown = memberOf(event, first);
  const steps = rest.map((step) => {
    inside = memberOf(inside, step);
    const index = memberOf(inside, "index");
    return typeof step === "number" && typeof index === "number" ? index : step;
  });
  const part = partMembers.map((name) => memberOf(event, name) ?? null);
  return JSON.stringify([blockMembers.has(first) ? "block" : first, ...steps, part]);
}

function memberOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  return isPlainObject(value) ? value[String(step)] : undefined;
}
