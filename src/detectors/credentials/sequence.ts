const runLengthMin = 4;
const neighbours = "01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl zxcvbnm";
const neighboursReversed = Array.from(neighbours).toReversed().join("");

/**
 * A value is not random if runs of neighbours (`1234`, `abcd`, `8765`, `qwerty`) fill this share of
 * it.
 */
const sequenceShare = 0.5;
/** The same for a token with a mark. It is higher, because the mark says that the token is random. */
const typedShare = 0.75;

/** `000102…0e0f`: the numbers from 0 to 255 as two digits each. */
const bytesInOrder = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("hex");
const countedLengthMin = 12;

/** The least length of a turn of letters or digits that is a run. */
const turnLengthMin = 3;

/**
 * Whether a value follows the keyboard or the alphabet: `1234567890abcdef`, `a1b2c3d4`,
 * `abc123def456`. Invented tokens in documentation do, and so do some real passwords.
 */
export function isSequence(value: string): boolean {
  return isTypedAt(value, sequenceShare);
}

/** The same for nearly all of a value. */
export function isTyped(value: string): boolean {
  return isTypedAt(value, typedShare);
}

function isTypedAt(value: string, shareMin: number): boolean {
  const lower = value.toLowerCase();
  return (
    runShare(lower) >= shareMin ||
    runShare(withoutDoubles(lower)) >= shareMin ||
    isInTurns(lower) ||
    (value.length >= countedLengthMin && bytesInOrder.includes(lower)) ||
    (runShare(lower.replace(/[^a-z]/g, "")) >= shareMin &&
      runShare(lower.replace(/[^0-9]/g, "")) >= shareMin)
  );
}

/** `aabbccdd` as `abcd`; empty where not every character stands twice. */
function withoutDoubles(value: string): string {
  return /^(?:(.)\1)+$/.test(value) ? value.replace(/(.)\1/g, "$1") : "";
}

/** `abc123def456`: letters and digits in turn, each turn a run. */
function isInTurns(value: string): boolean {
  const turns = value.match(/[a-z]+|\d+/g) ?? [];
  return (
    turns.length > 1 &&
    turns.every((turn) => turn.length >= turnLengthMin && runLength(turn, 0) === turn.length)
  );
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
