import { jsonMemberNameBytesMax } from "../../contract/limits.ts";
import { Spelling } from "../../json/escaped-text.ts";

/** A string (without its quotes) or a bare number of a JSON text. */
export interface JsonToken {
  readonly isString: boolean;
  readonly raw: string;
  /** Its place in the JSON text. */
  readonly start: number;
  readonly spelling: Spelling;
  /**
   * The key of the member that holds the token, directly or in lists; "" if there is none or the
   * key is not a known name.
   */
  readonly holder: string;
}

/** A token that is neither a string nor punctuation: a number or a name. */
const bare = /[^\s"{}[\],:]+/y;
const colon = /\s*:/y;
const names = new Set(["true", "false", "null"]);

/**
 * The strings and numbers of a valid JSON text, without empty strings. It reads byte by byte,
 * because a regular expression for strings runs out of stack on a long one.
 */
export function* jsonTokens(json: string): Generator<JsonToken> {
  /** For each open object or list, the key of the next value. */
  const holders: string[] = [];
  let at = 0;
  while (at < json.length) {
    const isString = json[at] === '"';
    const start = isString ? at + 1 : at;
    const end = isString ? stringEnd(json, start) : endOf(bare, json, at);
    const raw = json.slice(start, end);
    const isKey = isString && endOf(colon, json, end + 1) > end + 1;
    if (isKey) holders[holders.length - 1] = nameOf(raw);
    if (raw !== "" && !(names.has(raw) && !isString)) {
      const holder = isKey ? "" : (holders.at(-1) ?? "");
      yield { isString, raw, start, spelling: new Spelling(raw), holder };
    }
    if (json[at] === "[") holders.push(holders.at(-1) ?? "");
    else if (json[at] === "{") holders.push("");
    else if (json[at] === "]" || json[at] === "}") holders.pop();
    at = Math.max(end, at) + (isString || end === at ? 1 : 0);
  }
}

/** The decoded text of a token. */
export function tokenText({ isString, raw }: JsonToken): string {
  return isString ? textOf(raw) : raw;
}

function textOf(raw: string): string {
  return raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
}

/** A long key is never a known name. */
function nameOf(raw: string): string {
  return raw.length > jsonMemberNameBytesMax ? "" : textOf(raw);
}

/** The offset of the closing quote. */
function stringEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}

/** The end of the sticky expression's match at `start`; `start` itself if there is no match. */
function endOf(expression: RegExp, json: string, start: number): number {
  expression.lastIndex = start;
  return expression.test(json) ? expression.lastIndex : start;
}
