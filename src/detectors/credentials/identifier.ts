import { isTechnical, wordShare } from "./words.ts";

/**
 * The least number of letters in the words of an identifier, and the least share of its characters.
 */
const wordLettersMin = 3;
const wordShareMin = 0.7;
const inWordsShareMin = 0.5;
/**
 * `_csrftoken`, `__bk_zlib2`: a leading underscore marks a private name. Random secrets do not look
 * so.
 */
const hiddenName = /^_[a-z_]+(?:\d{1,2}[a-z_]*){0,2}$/;

/** The most numbers in a name, such as sizes and versions: `writeUint32Key`, `X509Credential`. */
const numbersMax = 2;
const digitsMax = 5;

/**
 * Whether a value is a name in source code, in camel case or in capitals, with the sizes and
 * abbreviations that names have: `Uint8Array`, `adminAPIKey`, `CachedX509Token`, `TPM2B_DIGEST`.
 */
export function isIdentifier(value: string): boolean {
  if (!/^[A-Za-z_$][\w$]*$/.test(value)) return false;
  if (hiddenName.test(value)) return true;
  if (!/[a-z_]/.test(value)) return false;
  const numbers = value.match(/\d+/g) ?? [];
  if (numbers.length > numbersMax || numbers.join("").length > digitsMax) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const inWords = words.filter(isWord).reduce((sum, { length }) => sum + length, 0);
  return inWords >= inWordsShareMin * value.length;
}

function isWord(part: string): boolean {
  if (part.length < wordLettersMin) return false;
  return wordShare(part) >= wordShareMin || isTechnical(part);
}
