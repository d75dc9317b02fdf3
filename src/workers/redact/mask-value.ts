import type { TextEdit } from "../../json/escaped-text.ts";
import { isJson, isMedium, searchJson, searchText, type WholeSearch } from "./json-search.ts";
import { jsonTokens } from "./json-tokens.ts";

/** What stands in place of a medium, which the detectors do not read. */
export const mediumLabel = "<MEDIUM>";

/** The edits that mask a text, which may be JSON. `isCut`: its end is missing. */
export function valueEdits(text: string, isCut: boolean, search: WholeSearch): readonly TextEdit[] {
  const json = wholeJson(text, isCut);
  if (json === null) return searchText(text, search).edits;
  const media: TextEdit[] = [];
  for (const token of jsonTokens(json)) {
    const { start, raw } = token;
    if (isMedium(token)) media.push({ start, end: start + raw.length, replacement: mediumLabel });
  }
  const edits = [...searchJson(json, search).edits, ...media];
  return edits.filter(({ start }) => start < text.length).sort((a, b) => a.start - b.start);
}

/** The JSON text; of a cut one the whole that begins with all but its last word. null: it is no JSON. */
export function wholeJson(text: string, isCut: boolean): string | null {
  if (isJson(text)) return text;
  return isCut && /^\s*[[{"]/.test(text) ? completed(text) : null;
}

function completed(text: string): string | null {
  const closers: string[] = [];
  let inString = false;
  let end = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '"') inString = false;
      if (character !== "\\") continue;
      const next = at + (text[at + 1] === "u" ? 6 : 2);
      if (next > text.length) end = at;
      at = next - 1;
    } else if (character === '"') inString = true;
    else if (character === "{") closers.push("}");
    else if (character === "[") closers.push("]");
    else if (character === "}" || character === "]") closers.pop();
  }
  const close = closers.reverse().join("");
  const head = inString ? text.slice(0, end) : text.replace(/[\w.+-]{1,64}$/, "");
  const ends = inString ? ['"', '":0'] : ["", "0", ":0", '"":0'];
  return ends.map((middle) => head + middle + close).find(isJson) ?? null;
}
