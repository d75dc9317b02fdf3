import { base64PrintableText } from "./base64.ts";
import { isSequence } from "./sequence.ts";
import { isTidy } from "./words.ts";

/** A word before the word for a secret that marks it as a placeholder: `my_api_key`, `test-token`. */
const notMeant =
  "(?:my|the|some|any|test|testing|fake|mock|dummy|demo|dev|local|default|invalid|insecure|unsafe)";

/** Words that people write in place of a secret, in upper or lower case. */
const words = new RegExp(
  [
    "example|sample|placeholder|change[ _-]?(?:me|it|this)|replace|redacted|insert|dummy|todo|fixme",
    String.raw`foo[\W\d_]{0,6}bar|lorem|goes[ _-]?here|not[ _-]?(?:a[ _-]?|my[ _-]?)?real`,
    String.raw`your(?:[ _.-]?[a-z]+){0,3}[\W_]{0,3}(?:key|token|secret|pass|pwd|api|id\b|here)`,
    `${notMeant}[ _-]?(?:api|access|auth|client|super)?[ _-]?(?:key|token|secret|passw)`,
    "(?:test|fake|mock)[ _-]?(?:pass|pwd)|my[ _-][a-z]+[ _-](?:key|token|secret|passw)",
    String.raw`(?:^|[_-])(?:tbd|tba)(?:$|[_-])`,
  ].join("|"),
  "i",
);

/** A long random text has one of these words by chance less often than once in a billion. */
const longWords = /EXAMPLE|REDACTED|PLACEHOLDER/;

/** A value that says which kind of secret belongs there. */
const kindOfSecret =
  /(?:api|access|auth|secret|client|bearer|session|jwt|webhook|signing|private|personal|refresh|encryption)[ _-]?(?:access[ _-]?)?(?:key|token|secret)/gi;
const drawnLengthMin = 8;

/** A reference that a template engine, a shell or a formatter fills in. */
const template =
  /\$\{|\{\{|\}\}|\$\(|#\{|<%|^<[^<>]*>?$|^\$\w+$|^%\w+%$|^@\w+@$|^__\w+__$|%\(\w+\)|^%[sdv]$|%[sd](?![0-9a-f]).*%[sd](?![0-9a-f])|^\[[^\]]*\]$|^\([^()]*\)$|^\{[\w.]+\}|\{[A-Za-z_]{3,}(?:\.\w+)*\}/;

/**
 * Six times the same letter or digit (but not A, which is zero in base64), or a few characters that stand
 * for omitted text.
 */
const filler =
  /([B-Zb-z0-9])\1{5}|[xX]{4}|^[xX]{3}.*[xX]{3}$|\*{3}|\.{3}|…|•{3}|#{3}|_{4}|-{6}|={5}/;

/** Words of hexadecimal digits, as programmers pick them: `deadbeefcafebabe`. */
const hexWords =
  /dead(?:beef|c0de|dead)|cafe(?:babe|d00d)|(?:bad)?c0ffee|feedface|ba+df00d|f00dbabe/gi;

/** In longer random text every word of four letters turns up by chance. */
const wordsLengthMax = 128;

/** Whether a value stands for a secret instead of being one: `changeme`, `xxxx`, `${VAR}`. */
export function isPlaceholder(value: string): boolean {
  if (template.test(value) || isPeriodic(value) || longWords.test(value)) return true;
  if (value.length > wordsLengthMax) return false;
  return saysSo(value) || saysSo(base64PrintableText(value) ?? "");
}

function saysSo(value: string): boolean {
  return (
    filler.test(value) ||
    words.test(value) ||
    value.replace(hexWords, "").length * 2 <= value.length - 1 ||
    tellsKindOnly(value)
  );
}

/**
 * Whether the value has only such words and no part that could be random:
 * `development_secret_key_123`.
 */
function tellsKindOnly(value: string): boolean {
  const rest = value.replace(kindOfSecret, " ");
  if (rest === value) return false;
  return rest.length < drawnLengthMin || isTidy(rest.replace(/\d+/g, withoutSequence));
}

function withoutSequence(number: string): string {
  return isSequence(number) ? "" : number;
}

/** One to four characters over and over: `abababab`. */
function isPeriodic(value: string): boolean {
  return /^(.{1,4})\1{2,}.{0,3}$/s.test(value);
}
