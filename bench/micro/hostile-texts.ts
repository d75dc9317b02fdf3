/**
 * Texts that are written to slow a search down. Each is full of near matches of one family of
 * detectors. They are deterministic. A piece changes with its number, so that nothing repeats
 * exactly.
 */

/** An endless sequence of numbers, the same at every call (Park and Miller, 1988). */
function numbers(): (below: number) => number {
  let state = 20_261_121;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

/** A text of this many characters, each drawn from the alphabet. */
function drawn(alphabet: string, length: number): string {
  const next = numbers();
  let text = "";
  while (text.length < length) text += alphabet.charAt(next(alphabet.length));
  return text;
}

/** A text of this many characters, joined from pieces drawn from a list. */
function drawnPieces(pieces: readonly string[], length: number): string {
  const next = numbers();
  let text = "";
  while (text.length < length) text += pieces[next(pieces.length)] ?? "";
  return text;
}

/** Repeats a piece that changes with its number. */
function repeated(piece: (n: number) => string, length: number): string {
  let text = "";
  for (let n = 0; text.length < length; n++) text += piece(n);
  return text;
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Texts by family. `length` is in characters, all ASCII; a text may be slightly longer. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  "phone signs": (length) => drawn("0123456789 -+().", length),
  "phone groups": (length) =>
    drawnPieces(["555", "20", "415", "0", "00", "1", "-", " ", "+", "(", ")", ". "], length),
  "phone numbers": (length) =>
    repeated((n) => `+44 20 7946 ${String(n % 10_000).padStart(4, "0")} `, length),
  "phone numbers near words": (length) =>
    repeated((n) => `call 612 345 ${String(n % 1000).padStart(3, "0")} `, length),
  "digits and spaces": (length) => drawn("0123456789 ", length),
  "digit groups of four": (length) =>
    repeated((n) => `${String(n * 7919 + 1_000_000).slice(-4)} `, length),
  dates: (length) => repeated((n) => `${(n % 31) + 1}/${(n % 12) + 1}/${1950 + (n % 70)} `, length),
  "date signs": (length) => drawn("0123456789/.-: T", length),
  addresses: (length) =>
    repeated((n) => `${n % 1000} Oak Street Apt ${n % 90} Berlin Road ${n % 99_999} `, length),
  "house numbers": (length) =>
    drawnPieces(["12 ", "St. ", "Main ", "Rue ", "de ", "la ", "Straße ", "7b "], length),
  capitals: (length) =>
    drawnPieces(["Anna ", "Berg ", "Weber ", "Mr. ", "Dr. ", "Lee, ", "von ", "O'Brien "], length),
  keywords: (length) =>
    drawnPieces(
      [
        "password: ",
        "secret=",
        "token ",
        "api_key ",
        "ssn ",
        "iban ",
        "passport no ",
        "mrn: ",
        "dob ",
        "phone ",
      ],
      length,
    ),
  "keywords with values": (length) =>
    repeated((n) => `password: x${n} api_key=${n}f8a passport no A${n} license ${n} `, length),
  base58: (length) => drawn(base58, length),
  "base58 words": (length) => drawn(`${base58}      `, length),
  "at signs": (length) => drawn("a.b@c-d@", length),
  "at signs only": (length) => "@".repeat(length),
  "addresses of mail": (length) => repeated((n) => `n${n}@a.b`, length),
  colons: (length) => drawn("0123456789abcdef:.", length),
  links: (length) => repeated((n) => `https://a:b${n}@x.y/?k=${n}&token=`, length),
  slashes: (length) => drawn("ab://.?=&", length),
};
