import { editText, escaped, Spelling, type TextEdit } from "../../json/escaped-text.ts";
import { isOpaque, mayBeOpaque } from "../segment/opaque.ts";
import { byPlace, redactions, type Finding } from "./finding.ts";
import { jsonTokens, tokenText, type JsonToken } from "./json-tokens.ts";
import type { TextSearch } from "./text-search.ts";

/** Searches whole texts. */
export type WholeSearch = Pick<TextSearch, "whole">;

/** The findings in a text, and the edits that redact it. */
export interface SearchedText {
  readonly findings: readonly Finding[];
  readonly edits: readonly TextEdit[];
}

export function searchText(text: string, search: WholeSearch): SearchedText {
  const findings = search.whole(text);
  return { findings, edits: redactions(findings) };
}

/**
 * Searches a text that is JSON, such as a tool call's arguments. It searches the text as a whole,
 * because a key may show what its value is. It also searches each string and number alone, so that
 * anchors match at the ends of a value. Media are skipped. The text is still JSON after the edits: a
 * string replaces a number, and if a match covers several values, its part of each value is removed. A
 * text that is not JSON is searched like any other text.
 */
export function searchJson(json: string, search: WholeSearch): SearchedText {
  if (!isJson(json)) return searchText(json, search);
  const around = searchAround(withoutMedia(json), search);
  const findings = new Set<Finding>();
  const edits: TextEdit[] = [];
  let near: Finding[] = [];
  let taken = 0;
  for (const token of jsonTokens(json)) {
    if (isMedium(token)) continue;
    const end = token.start + token.raw.length;
    near = near.filter((finding) => finding.end > token.start);
    for (; (around[taken]?.start ?? end) < end; taken++)
      near.push(...around.slice(taken, taken + 1));
    const seen = near.flatMap((finding) => partIn(token, finding, findings));
    const known = new Set(seen.map(identity));
    const inside = insideOf(token, search).filter((finding) => !known.has(identity(finding)));
    for (const finding of inside) findings.add(finding);
    for (const edit of tokenEdits(token, [...seen, ...inside])) edits.push(edit);
  }
  return { findings: [...findings], edits };
}

/** Whether a token is a medium, which is not searched. */
export function isMedium(token: JsonToken): boolean {
  return token.isString && mayBeOpaque(token.holder) && isOpaque(token.holder, tokenText(token));
}

/** The same text with spaces in place of its media. */
function withoutMedia(json: string): string {
  const edits: TextEdit[] = [];
  for (const token of jsonTokens(json)) {
    if (!isMedium(token)) continue;
    const { start, raw } = token;
    edits.push({ start, end: start + raw.length, replacement: " ".repeat(raw.length) });
  }
  return editText(json, edits);
}

/**
 * The content of a JSON text as a whole, in the text's order. Escapes are decoded, because the letter
 * of an escape would otherwise begin the next word. Escaped quotes become spaces, because a quote
 * would seem to end its value.
 */
function searchAround(json: string, search: WholeSearch): readonly Finding[] {
  const spelling = new Spelling(json);
  const found = search.whole(json.replace(/\\(?:u.{4}|.)/g, unquoted)).map((finding) => ({
    ...finding,
    start: spelling.offset(finding.start),
    end: spelling.offset(finding.end),
  }));
  return found.sort(byPlace);
}

/** The character that an escape stands for; a space if that is a quote. */
function unquoted(escape: string): string {
  if (escape[1] === "u") {
    const unit = String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    return unit === '"' ? " " : unit;
  }
  return shortEscapes.get(escape[1] ?? "") ?? escape.slice(1);
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', " "],
]);

/** The findings in one token alone, by offsets in its spelling. */
function insideOf(token: JsonToken, search: WholeSearch): readonly Finding[] {
  const { spelling } = token;
  return search.whole(tokenText(token)).map((finding) => ({
    ...finding,
    start: spelling.offset(finding.start),
    end: spelling.offset(finding.end),
  }));
}

/**
 * The part of a finding in the whole text that lies in a token, by offsets in its spelling. A finding
 * outside all tokens is punctuation and not `noted`.
 */
function partIn(
  { raw, start }: JsonToken,
  finding: Finding,
  noted: Set<Finding>,
): readonly Finding[] {
  const from = Math.max(finding.start - start, 0);
  const until = Math.min(finding.end - start, raw.length);
  if (from >= until) return [];
  noted.add(finding);
  return [{ ...finding, start: from, end: until }];
}

/** A key that is equal for equal findings. */
function identity({ kind, token, start, end }: Finding): string {
  return `${start} ${end} ${kind} ${token}`;
}

/** The edits of a JSON text that redact findings in one of its tokens, by offsets in the token's spelling. */
function tokenEdits({ isString, raw, start }: JsonToken, findings: readonly Finding[]): TextEdit[] {
  const edits = redactions(findings);
  if (edits.length === 0) return [];
  if (!isString) {
    const replacement = JSON.stringify(editText(raw, edits));
    return [{ start, end: start + raw.length, replacement }];
  }
  return edits.map((edit) => ({
    start: start + edit.start,
    end: start + edit.end,
    replacement: escaped(edit.replacement),
  }));
}

/** Whether a text is a JSON value that may hold others. */
export function isJson(text: string): boolean {
  // A single number or name is searched like any other text.
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
