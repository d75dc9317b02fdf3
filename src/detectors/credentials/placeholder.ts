/** What people write where a secret belongs. Whole words are looked for in any case. */
const words =
  /example|sample|placeholder|change[ _-]?(?:me|it|this)|replace|redacted|insert|dummy|foo[ _-]?bar|not[ _-]?real|todo|fixme|your[ _.-]?(?:[a-z]+[ _.-]?)?(?:key|token|secret|pass|api|id\b|here)|(?:my|the|some|any|test|fake|invalid)[ _-]?(?:api|access|auth|client|super)?[ _-]?(?:key|token|secret|passw)|goes[ _-]?here/i;

/** A reference that a template engine, a shell or a formatter fills in. */
const template =
  /\$\{|\{\{|\}\}|\$\(|#\{|<%|^<[^<>]*>?$|^\$\w+$|^%\w+%$|^@\w+@$|^__\w+__$|%\(\w+\)|^%[sdv]$|^\[[^\]]*\]$|^\{[\w.]+\}/;

/** Six of one letter (but A, which is zero in base64), or a few that stand for what is left out. */
const filler = /([B-Zb-z])\1{5}|[xX]{4}|\*{3}|\.{3}|…|•{3}|#{3}|_{4}|-{6}|={5}/;

const runLengthMin = 4;
/** Runs of neighbours (`1234`, `abcd`, `8765`, `qwerty`) that fill this share are typed, not drawn. */
const runShareMax = 0.5;
const neighbours = "01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm";
const neighboursReversed = Array.from(neighbours).toReversed().join("");

/** In longer random text every word of four letters turns up by chance. */
const wordsLengthMax = 128;

/** Whether a value stands for a secret instead of being one: `changeme`, `xxxx`, `${VAR}`. */
export function isPlaceholder(value: string): boolean {
  if (template.test(value) || isPeriodic(value)) return true;
  return value.length <= wordsLengthMax && (filler.test(value) || words.test(value));
}

/**
 * Whether a value was typed along the keyboard or the alphabet: `1234567890abcdef`. Made-up tokens
 * in documentation are, but so are some passwords that are in use.
 */
export function isSequence(value: string): boolean {
  return runShare(value.toLowerCase()) >= runShareMax;
}

/** One to four characters over and over: `abababab`. */
function isPeriodic(value: string): boolean {
  return /^(.{1,4})\1{2,}.{0,3}$/s.test(value);
}

/** The share of the value that lies in runs of neighbours on the keyboard or in the alphabet. */
function runShare(value: string): number {
  let covered = 0;
  let at = 0;
  while (at < value.length) {
    const length = runLength(value, at);
    covered += length >= runLengthMin ? length : 0;
    at += length >= runLengthMin ? length : 1;
  }
  return value.length === 0 ? 0 : covered / value.length;
}

function runLength(value: string, at: number): number {
  let length = 1;
  while (at + length < value.length) {
    const run = value.slice(at, at + length + 1);
    if (!neighbours.includes(run) && !neighboursReversed.includes(run)) break;
    length += 1;
  }
  return length;
}
