import { editText, escaped, Spelling, type TextEdit } from "../../json/escaped-text.ts";
import { byPlace, redactions, type Finding } from "./finding.ts";
import type { TextSearch } from "./text-search.ts";

/** What was found in a text, and the edits that redact it. */
export interface SearchedText {
  readonly findings: readonly Finding[];
  readonly edits: readonly TextEdit[];
}

export function searchText(text: string, search: TextSearch): SearchedText {
  const findings = search.whole(text);
  return { findings, edits: redactions(findings) };
}

/**
 * Searches a text that is JSON, such as a tool call's arguments: as it stands, so that a value's key
 * can tell what it is, and each string and number by itself, so that no escape hides a word. It is
 * JSON after the edits too: a number gives way to a string, and of a match that covers several each
 * loses its part. A text that is not JSON is searched as any other.
 */
export function searchJson(json: string, search: TextSearch): SearchedText {
  if (!isJson(json)) return searchText(json, search);
  const around = search.whole(json).toSorted(byPlace);
  const findings = new Set<Finding>();
  const edits: TextEdit[] = [];
  let near: Finding[] = [];
  let taken = 0;
  for (const token of tokensOf(json)) {
    const end = token.start + token.raw.length;
    near = near.filter((finding) => finding.end > token.start);
    for (; (around[taken]?.start ?? end) < end; taken++)
      near.push(...around.slice(taken, taken + 1));
    const seen = near.flatMap((finding) => partIn(token, finding, findings));
    const inside = insideOf(token, search).filter((finding) => !seen.some(isSame(finding)));
    for (const finding of inside) findings.add(finding);
    edits.push(...tokenEdits(token, [...seen, ...inside]));
  }
  return { findings: [...findings], edits };
}

/** A string (what stands between its quotes) or a bare number of a JSON text. */
interface Token {
  readonly isString: boolean;
  readonly raw: string;
  /** Its place in the JSON text. */
  readonly start: number;
  readonly spelling: Spelling;
}

/** What is neither a string nor punctuation: a number or a name. */
const bare = /[^\s"{}[\],:]+/y;
const names = new Set(["true", "false", "null"]);

/** Walks by hand: a regular expression for strings runs out of stack on a long one. */
function* tokensOf(json: string): Generator<Token> {
  let at = 0;
  while (at < json.length) {
    const isString = json[at] === '"';
    const start = isString ? at + 1 : at;
    const end = isString ? stringEnd(json, start) : bareEnd(json, at);
    const raw = json.slice(start, end);
    if (raw !== "" && !(names.has(raw) && !isString)) {
      yield { isString, raw, start, spelling: new Spelling(raw) };
    }
    at = Math.max(end, at) + (isString || end === at ? 1 : 0);
  }
}

/** Where the closing quote stands. */
function stringEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

function bareEnd(json: string, start: number): number {
  bare.lastIndex = start;
  return bare.test(json) ? bare.lastIndex : start;
}

/** What a token by itself says, by offsets in its spelling. */
function insideOf({ isString, raw, spelling }: Token, search: TextSearch): readonly Finding[] {
  const text = isString && raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
  return search.whole(text).map((finding) => ({
    ...finding,
    start: spelling.offset(finding.start),
    end: spelling.offset(finding.end),
  }));
}

/**
 * The part of a finding in the whole text that lies in a token, by offsets in its spelling. One that
 * lies in none is punctuation, and not `noted`.
 */
function partIn(
  { raw, start, spelling }: Token,
  finding: Finding,
  noted: Set<Finding>,
): readonly Finding[] {
  const from = Math.max(finding.start - start, 0);
  const until = Math.min(finding.end - start, raw.length);
  if (from >= until) return [];
  noted.add(finding);
  return [{ ...finding, ...spelling.widened(from, until) }];
}

function isSame(one: Finding): (other: Finding) => boolean {
  return ({ kind, token, start, end }) =>
    kind === one.kind && token === one.token && start === one.start && end === one.end;
}

function tokenEdits({ isString, raw, start }: Token, findings: readonly Finding[]): TextEdit[] {
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

function isJson(text: string): boolean {
  // A number or a name alone is text as any other.
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
