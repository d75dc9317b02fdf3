/** What a UTF-16 code unit is to the tokenizer. */
export const characterKind = {
  space: 0,
  lineBreak: 1,
  lower: 2,
  upper: 3,
  uncased: 4,
  digit: 5,
  punctuation: 6,
  /** Belongs to the word before it and adds nothing to its spelling: combining marks, joiners. */
  mark: 7,
} as const;

/** Cased scripts end below this code unit (Latin Extended Additional and Greek Extended included). */
const casedEnd = 0x2000;
/** Letters whose base letter is not in Unicode's decomposition. */
const baseLetters: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "t",
  ß: "s",
  æ: "a",
  œ: "o",
  ı: "i",
  ħ: "h",
  ŋ: "n",
};

/** `characterKind` of every code unit. */
export const kindOfCharacter: Readonly<Uint8Array> = kinds();
/** Every cased letter's lower-case base letter: É, é → e. Other code units stand for themselves. */
export const foldedCharacter: Readonly<Uint16Array> = folds();

function kinds(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(characterKind.uncased);
  for (let unit = 0; unit < casedEnd; unit++) table[unit] = kindOf(unit);
  table.fill(characterKind.punctuation, 0x2000, 0x2c00);
  table.fill(characterKind.space, 0x2000, 0x200b);
  table.fill(characterKind.mark, 0x200b, 0x2010);
  table.fill(characterKind.lineBreak, 0x2028, 0x202a);
  table[0x202f] = characterKind.space;
  table[0x205f] = characterKind.space;
  table[0x3000] = characterKind.space;
  table.fill(characterKind.punctuation, 0x3001, 0x3040);
  // Surrogates are nearly always halves of emoji. No known name has letters beyond the basic plane.
  table.fill(characterKind.punctuation, 0xd800, 0xf900);
  table.fill(characterKind.mark, 0xfe00, 0xfe10);
  table.fill(characterKind.punctuation, 0xff00, 0xff10);
  table[0xfeff] = characterKind.mark;
  return table;
}

function kindOf(unit: number): number {
  const character = String.fromCharCode(unit);
  if (unit === 0x0a || unit === 0x0d || unit === 0x0b || unit === 0x0c || unit === 0x85) {
    return characterKind.lineBreak;
  }
  if (/\s/u.test(character)) return characterKind.space;
  if (/\p{M}|\u00AD/u.test(character)) return characterKind.mark;
  if (/\p{Nd}/u.test(character)) return characterKind.digit;
  if (/\p{Lu}|\p{Lt}/u.test(character)) return characterKind.upper;
  if (/\p{Ll}/u.test(character)) return characterKind.lower;
  if (/\p{L}/u.test(character)) return characterKind.uncased;
  return characterKind.punctuation;
}

function folds(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) table[unit] = unit < casedEnd ? foldOf(unit) : unit;
  return table;
}

function foldOf(unit: number): number {
  const kind = kindOfCharacter[unit];
  if (kind !== characterKind.lower && kind !== characterKind.upper) return unit;
  const lower = String.fromCharCode(unit).toLowerCase().charAt(0);
  const base = baseLetters[lower] ?? lower.normalize("NFD").charAt(0);
  return base.charCodeAt(0);
}
