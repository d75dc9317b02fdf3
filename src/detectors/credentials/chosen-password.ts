import { base64PrintableText } from "./base64.ts";
import { isDigest } from "./digest.ts";
import { isElsewhere } from "./elsewhere.ts";
import { isFileName } from "./file-name.ts";
import { isPlaceholder } from "./placeholder.ts";
import { looksRandom } from "./randomness.ts";
import { isSequence } from "./sequence.ts";

const lengthMin = 6;
/** A shorter value of letters with a number after them is more likely a name: `input1`. */
const wordWithNumberLengthMin = 7;

/** A shorter value of all kinds is more likely a version or a model: `Rev-2-Bus`. */
const allKindsLengthMin = 10;
const date = /^\d{1,4}-[A-Z][a-z]{2,8}-\d{1,4}/;

/** Words that stand in the place of a password, in code and in prose. */
const literals =
  /^(?:true|false|null|none|nil|undefined|required|optional|string\d?|disabled|enabled|unset|empty|hidden|text|password|passwd|pass|secret|admin|user|root|test|guest|postgres|mysql|token)$/i;

/** A member, a place or an option: `config.db.password`, `/run/secrets/db`, `https://…`, `--size=16`. */
const reference =
  /^[A-Za-z_$][\w$]*(?:\[\w*\])*(?:(?:\.|->|::)[A-Za-z_$][\w$]*(?:\[\w*\])*)+$|^[./~].*\/|:\/\/|^\$\w|^%\w+%$|^--?[A-Za-z][\w-]*(?:=|$)/;

/** A call, a pointer, a named argument, a number in hexadecimal, a time, a port, rules of a form. */
const code =
  /^[A-Za-z_]\w*\([^()]*\)$|^[*&][a-z]+(?:_[a-z]+)*\d{0,2}$|\b(?:self|this)\.|^&?[a-z_]{2,}=\w+$|^0[xX][0-9a-fA-F]+$|^(?:\d+(?:ms|[smhdwy]))+$|^[\w.-]+:\d{2,5}$|^[a-z]+(?::[\w,]+)?(?:\|[a-z]+(?::[\w,]+)?)+$/;

const tellsItself =
  /passw|pwd|secret|token|credential|api_?key|param|field|input|prompt|column|^u?int\d+|^float\d+|^[su]?byte/i;
const special = /[^\w.\-/\s]/;

/**
 * Whether a value that is assigned to a password's name could be a password, random or chosen by a
 * person: `Winter2019`, `hunter-2!x`. Identifiers, references, placeholders and plain words are
 * not.
 */
export function couldBePassword(value: string): boolean {
  if (value.length < lengthMin || literals.test(value) || refers(value)) return false;
  if (isPlaceholder(value) || isSequence(value) || encodesWord(value)) return false;
  if (special.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value)) return true;
  if (tellsItself.test(value)) return false;
  if (isWordWithNumber(value) || isOfAllKinds(value)) return true;
  return value.length >= randomLengthMin(value) && looksRandom(value);
}

/**
 * Whether a value could be a password at a place where only passwords stand. A plain word counts
 * here. A placeholder, a reference and the word "password" itself do not.
 */
export function couldBeTypedPassword(value: string): boolean {
  const word = value.replace(/^\W+|\W+$/g, "");
  if (literals.test(word) || refers(value) || encodesWord(value)) return false;
  return !isPlaceholder(value) && !/^\d+$/.test(value);
}

/** The word "password" or the like in base64. */
function encodesWord(value: string): boolean {
  const text = base64PrintableText(value)?.trim();
  if (text === undefined || !(literals.test(text) || tellsItself.test(text))) return false;
  return !couldBePassword(text);
}

function refers(value: string): boolean {
  return (
    reference.test(value) ||
    isElsewhere(value) ||
    code.test(value) ||
    isDigest(value) ||
    isFileName(value)
  );
}

/**
 * `Harbor-Tulip-22`, `4lantern_Copper`: letters of both cases, digits and separators. Rules for
 * passwords ask for these, and no identifier is written so.
 */
function isOfAllKinds(value: string): boolean {
  return (
    value.length >= allKindsLengthMin &&
    /^[\w.-]+$/.test(value) &&
    /-|^\d.*_/.test(value) &&
    /[a-z]{2}/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d/.test(value) &&
    !date.test(value)
  );
}

/** A value of letters alone is more likely a name, unless it is long. */
function randomLengthMin(value: string): number {
  return /\d/.test(value) ? lengthMin : 12;
}

/**
 * `Winter2019`, `thisIsDog11`: one run of letters and one number, in either order. `Winter_2019`:
 * one word and a number.
 */
function isWordWithNumber(value: string): boolean {
  return (
    value.length >= wordWithNumberLengthMin &&
    /^(?:[A-Za-z0-9]+|[A-Za-z]+[-_.]\d{2,})$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]{3}/.test(value)
  );
}
