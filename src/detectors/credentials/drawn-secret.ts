import { looksRandom } from "./randomness.ts";
import { wordShare } from "./words.ts";

/** An address, a path, a call, a type, a number, a hash, a pattern: what else is assigned to such names. */
const other =
  /:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+[[(]|::|^[\d.,:/_-]+$|^arn:|^(?:sha\d+|md5)[-:]|^data:|^[./~].*\/|\(\?[:!=<]/;

/** `EVP_PKEY_new`, `token-hex`: words that a list of words need not have. */
const joinedLetters = /^[A-Za-z]+(?:[_.-]+[A-Za-z]+)+$/;

/** `Uint8Array`: the name of a type, of words and the sizes between them. */
const typeName = /^(?:[A-Z][a-z]{2,}\d{0,2})+$/;

/** `ed25519.PrivateKey`, `this.key2` */
const member = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
const memberWordShareMin = 0.4;

/** Whether a value that is assigned to the name of a secret is one. */
export function isDrawnSecret(value: string): boolean {
  if (other.test(value) || joinedLetters.test(value) || typeName.test(value)) return false;
  if (member.test(value) && wordShare(value) >= memberWordShareMin) return false;
  return looksRandom(value);
}
