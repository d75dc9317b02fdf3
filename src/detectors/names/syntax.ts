import { gap, hashOfWord, shape, type NameTokens } from "./tokens.ts";

/*
 * Words that belong to a format. In other places they may be names. Here they label the text that follows,
 * and a parser of the format needs them.
 */

/** The longest text between the hyphens of an armour line, or in a product's comment. */
const wordsMax = 40;
const armourHyphens = 5;

/** Removes the candidates of a window that are such words. */
export function dropSyntax(tokens: NameTokens, candidate: Uint8Array): void {
  for (let i = 0; i < tokens.count; i++) {
    if (opensArmour(tokens, i)) dropUntil(tokens, candidate, i + 1, hyphen);
    else if (opensProductComment(tokens, i)) dropUntil(tokens, candidate, i + 1, closing);
    else if (candidate[i] === 1 && (isKey(tokens, i) || isWeekday(tokens, i))) candidate[i] = 0;
  }
}

function dropUntil(tokens: NameTokens, candidate: Uint8Array, from: number, end: number): void {
  const last = Math.min(from + wordsMax, tokens.count);
  for (let i = from; i < last && tokens.hash[i] !== end; i++) {
    if ((tokens.gap[i] ?? 0) >= gap.line) return;
    candidate[i] = 0;
  }
}

/** The last hyphen of `-----` in `-----BEGIN PUBLIC KEY-----`. */
function opensArmour(tokens: NameTokens, i: number): boolean {
  if (tokens.shape[i + 1] !== shape.allCapitals || tokens.gap[i + 1] !== gap.none) return false;
  for (let at = i; at > i - armourHyphens; at--) {
    if (tokens.hash[at] !== hyphen) return false;
  }
  return true;
}

/**
 * RFC 9110: the bracket after a product and its version, as in `AppleWebKit/537.36 (`, but not in
 * `24/7 (`.
 */
function opensProductComment({ hash, shape: form, gap: before }: NameTokens, i: number): boolean {
  if (hash[i] !== opening || before[i] !== gap.space || i < 3) return false;
  let at = i - 1;
  while (at > 1 && (form[at] === shape.number || hash[at] === dot) && before[at] === gap.none) at--;
  if (at === i - 1 || hash[at] !== slash || before[at] !== gap.none) return false;
  return form[at - 1] !== shape.number && form[at - 1] !== shape.punctuation;
}

/** One word that names a member: `"Pid": 7`, `'Cookie': …`. */
function isKey({ count, hash, gap: before }: NameTokens, i: number): boolean {
  if (i === 0 || i + 2 >= count || hash[i + 2] !== colon) return false;
  const quote = hash[i - 1];
  const closes = hash[i + 1] === quote && before[i] === gap.none && before[i + 1] === gap.none;
  return closes && (quote === doubleQuote || quote === singleQuote);
}

/** `Thu, 6 Feb 2025` */
function isWeekday({ count, hash, shape: form }: NameTokens, i: number): boolean {
  if (i + 2 >= count || hash[i + 1] !== comma || form[i + 2] !== shape.number) return false;
  return weekdays.has(hash[i] ?? 0);
}

const weekdays: ReadonlySet<number> = new Set(
  "mon tue tues wed thu thur thurs fri sat sun".split(" ").map(hashOfWord),
);
const doubleQuote = 0x22;
const singleQuote = 0x27;
const opening = 0x28;
const closing = 0x29;
const comma = 0x2c;
const hyphen = 0x2d;
const dot = 0x2e;
const slash = 0x2f;
const colon = 0x3a;
