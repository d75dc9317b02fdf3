/**
 * Characters that JSON and source code write with backslashes, once or, if nested, several times.
 */
const escapes = /\\{1,16}(?:[nrt"]|u[0-9a-fA-F]{4})/g;

const breaks: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ['"', '"'],
]);

/** A mark that does not change the word around it. */
const filler = "\ufe0f";

const opensAfter = /[\s:=,([{<]/;

/**
 * The text with the escapes of JSON or code in it decoded: `{"by": "Ren\u00e9\nMarsh"}` holds two
 * names, and the second begins after the `n`. The result of each escape is padded to the escape's
 * length, so offsets stay, and no value begins or ends inside an escape. Marks follow a letter.
 * Blanks follow all other characters, or stand before a character that opens something. Escapes for
 * ASCII letters and digits are left, because nobody writes them.
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

/** Null: the escape stays as it is written. */
function characterOf(escape: string): string | null {
  const spelled = escape.slice(escape.lastIndexOf("\\") + 1);
  const short = breaks.get(spelled);
  if (short !== undefined) return short;
  const unit = unitOf(spelled.slice(1));
  // Half of a surrogate pair, which is no letter in names or patterns.
  if (unit >= 0xd800 && unit < 0xe000) return " ";
  const character = String.fromCharCode(unit);
  return /[A-Za-z0-9]/.test(character) ? null : character;
}

/**
 * Whether the character begins or ends a range in a character class of a regular expression, as in
 * `\u1FBC-\u1FC4`. The end of a range is the higher code. In a hyphenated name the second letter is a
 * capital, whose code is lower than that of small letters, so the name is no range.
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
