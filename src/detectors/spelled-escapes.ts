/** What JSON and source code spell with backslashes, once or, within each other, several times. */
const escapes = /\\{1,16}(?:[nrt"]|u[0-9a-fA-F]{4})/g;

const breaks: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
]);

/** A mark that adds nothing to the word it stands in. */
const filler = "\ufe0f";

const opensAfter = /[\s:=,([{<]/;

/**
 * The text as it reads where JSON in it, or code, is decoded: `{"by": "Ren\u00e9\nMarsh"}` holds two
 * names, and the second begins behind the `n`. Each escape is as long as it was, so that offsets stay
 * and no value begins or ends within one: a letter is followed by marks, all else by blanks, or
 * follows them where it opens something. ASCII letters and digits, which nobody escapes, are left.
 */
export function withEscapesRead(text: string): string {
  if (!text.includes("\\")) return text;
  let classEnd = -1;
  return text.replace(escapes, (escape, at: number) => {
    const character = characterOf(escape);
    if (character === null) return escape;
    const rest = escape.length - 1;
    if (/[\p{L}\p{M}]/u.test(character)) {
      const end = at + escape.length;
      if (at !== classEnd && !boundsRange(text, at, end, character)) {
        return character + filler.repeat(rest);
      }
      classEnd = end;
      return " ".repeat(escape.length);
    }
    const opens = at === 0 || opensAfter.test(text.charAt(at - 1));
    return opens && !/\s/.test(character)
      ? " ".repeat(rest) + character
      : character + " ".repeat(rest);
  });
}

/** Null: it stays as it is written. */
function characterOf(escape: string): string | null {
  const spelled = escape.slice(escape.lastIndexOf("\\") + 1);
  const short = breaks.get(spelled);
  if (short !== undefined) return short;
  const unit = unitOf(spelled.slice(1));
  // Half of a pair: no letter that names or patterns know.
  if (unit >= 0xd800 && unit < 0xe000) return " ";
  const character = String.fromCharCode(unit);
  return /[A-Za-z0-9]/.test(character) ? null : character;
}

/**
 * Whether the character begins or ends a range in a character class of a regular expression, as in
 * `\u1FBC-\u1FC4`. A range goes up. In a hyphenated name the second letter is a capital, which comes before
 * the small letters, so the name is no range.
 */
function boundsRange(text: string, start: number, end: number, character: string): boolean {
  if (text[end] === "-") {
    const last = /^-\\{1,16}u([0-9a-f]{4})/i.exec(text.slice(end, end + rangeUnitsMax))?.[1];
    if (last !== undefined && unitOf(last) > character.charCodeAt(0)) return true;
  }
  if (text[start - 1] !== "-") return false;
  const first = /u([0-9a-f]{4})-$/i.exec(text.slice(Math.max(0, start - 6), start))?.[1];
  return first !== undefined && unitOf(first) < character.charCodeAt(0);
}

const rangeUnitsMax = 22;

function unitOf(hex: string): number {
  return Number.parseInt(hex, 16);
}
