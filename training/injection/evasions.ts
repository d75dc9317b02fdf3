import type { Random } from "../names/random.ts";

/** Ways to write a text so that a person or a model still reads it, and a filter may not. */
export const evasions = {
  zeroWidth: (text, random) =>
    [...text].map((letter) => (random.chance(0.3) ? `${letter}\u200b` : letter)).join(""),
  tagCharacters: (text) =>
    text.replace(/[ -~]/g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))),
  homoglyph: (text, random) => substitute(text, homoglyphs, 0.5, random),
  fullwidth: (text) =>
    text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  leet: (text, random) => substitute(text, leet, 0.6, random),
  spaced: (text) =>
    text
      .split(/\s+/)
      .map((word) => [...word].join(" "))
      .join("   "),
  spacedEvenly: (text) => [...text.replace(/\s+/g, "")].join(" "),
  dotted: (text) =>
    text
      .split(/\s+/)
      .map((word) => [...word].join("."))
      .join(" "),
  base64: (text) => Buffer.from(text).toString("base64"),
  hex: (text) => Buffer.from(text).toString("hex"),
  url: (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const first = letter < "a" ? 65 : 97;
      return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
    }),
  entities: (text) => text.replace(/[a-z]/gi, (letter) => `&#${letter.charCodeAt(0)};`),
  comments: (text) => text.replace(/([a-z])([a-z])(?=[a-z]{2})/gi, "$1<!-- -->$2"),
  upperCase: (text) => text.toUpperCase(),
  lowerCase: (text) => text.toLowerCase(),
  mixedCase: (text, random) =>
    [...text]
      .map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase()))
      .join(""),
} as const satisfies Readonly<Record<string, (text: string, random: Random) => string>>;

export type Evasion = keyof typeof evasions;

/** More ways, as people and fuzzers mix them; they teach and are not measured apart. */
export const mixedEvasions = {
  leetSigns: (text, random) => substitute(text, leetSigns, 0.2 + random.next() * 0.4, random),
  leetLightly: (text, random) => substitute(text, { ...leetSigns, ...leet }, 0.12, random),
  wideSpaces: (text, random) =>
    text.replace(/ /g, () => (random.chance(0.4) ? " ".repeat(random.between(2, 4)) : " ")),
  backslashes: (text) => text.replace(/[^\n]/g, "\\$&"),
  stops: (text, random) =>
    text.replace(/ /g, () =>
      random.chance(0.25) ? random.pick([" . ", " , ", " - ", " _ ", " ; ", " : "]) : " ",
    ),
  misspelled: (text, random) =>
    text.replace(/[a-z]{4,}/gi, (word) => (random.chance(0.3) ? misspelled(word, random) : word)),
  several: (text, random) =>
    substitute(
      substitute(text, homoglyphs, random.next() * 0.4, random),
      leetSigns,
      random.next() * 0.4,
      random,
    ),
} as const satisfies Readonly<Record<string, (text: string, random: Random) => string>>;

const homoglyphs: Readonly<Record<string, string>> = {
  a: "а",
  c: "с",
  e: "е",
  i: "і",
  j: "ј",
  o: "о",
  p: "р",
  s: "ѕ",
  x: "х",
  y: "у",
  A: "А",
  B: "В",
  E: "Е",
  H: "Н",
  I: "І",
  K: "К",
  M: "М",
  O: "О",
  P: "Р",
  T: "Т",
};

const leet: Readonly<Record<string, string>> = {
  a: "4",
  e: "3",
  i: "1",
  o: "0",
  s: "5",
  t: "7",
  A: "4",
  E: "3",
  I: "1",
  O: "0",
  S: "5",
  T: "7",
};

const leetSigns: Readonly<Record<string, string>> = {
  ...leet,
  b: "8",
  g: "9",
  l: "1",
  a: "@",
  A: "@",
  i: "!",
  S: "$",
  e: "€",
  T: "+",
  z: "2",
};

/** Two letters change places, or one is twice there or not at all. */
function misspelled(word: string, random: Random): string {
  const at = random.between(1, word.length - 2);
  const [before, one, other] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1)];
  const rest = word.slice(at + 2);
  return before + random.pick([other + one, one + one + other, other]) + rest;
}

function substitute(
  text: string,
  substitutes: Readonly<Record<string, string>>,
  share: number,
  random: Random,
): string {
  return [...text]
    .map((letter) => (random.chance(share) ? (substitutes[letter] ?? letter) : letter))
    .join("");
}
