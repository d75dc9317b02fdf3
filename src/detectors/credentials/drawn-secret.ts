import { base64PrintableText } from "./base64.ts";
import { isDigest } from "./digest.ts";
import { isElsewhere } from "./elsewhere.ts";
import { isExamplePair } from "./example-pair.ts";
import { isFileName } from "./file-name.ts";
import { isIdentifier } from "./identifier.ts";
import { isPublished } from "./published-values.ts";
import { looksRandom } from "./randomness.ts";
import { wordShare } from "./words.ts";

/**
 * Other values that are assigned to such names: an address, a path, a call, a number, an option, a list of
 * names.
 */
const other =
  /:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+[[(]|::|^[\d.,:/_-]+$|^data:|^[./~].*\/|^--|^(?:\w{1,10}([;|,]))(?:\w{1,10}\1)+\w{1,10}$/;

/** A regular expression: classes with ranges, repeats with bounds, a lookahead. */
const pattern = /\(\?[:!=<]|\[[^\]]{0,40}(?:a-z|0-9|A-Z|a-f|A-F)|\{\d+,\d*\}|\]\{\d+\}/;

/**
 * An Ethereum address or another hexadecimal number, but not one of 64 digits, which may be an
 * Ethereum key.
 */
const hexNumber = /^0x(?![0-9a-f]{64}$)[0-9a-f]+$/i;

/**
 * The beginning of a public key or a certificate in base64, in DER or in the format of OpenSSH.
 */
const publicKey =
  /^M[\w+/]{3,9}(?:NBgkqhkiG9w0BAQEFAAO[BC]|0GCSqGSIb3DQEBAQUAA4G)|^M(?:FkwEwYHKoZIzj0C|HYwEAYHKoZIzj0C|IGbMBAGByqGSM49Ag|CowBQYDK2V)|^MII[\w+/]{2,9}(?:oAMCAQI|gAwIBAg|KADAgEC)|^AAAA(?:[BC]3NzaC1|E2VjZHNh|GnNrLX)/;

/** Joined letters such as `EVP_PKEY_new` and `token-hex`, even if they are not common words. */
const joinedLetters = /^[A-Za-z]+(?:[_.-]+[A-Za-z]+)+$/;

/** `ed25519.PrivateKey`, `this.key2` */
const member = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;
const memberWordShareMin = 0.4;

/** Whether a value that is assigned to the name of a secret is a random secret. */
export function isDrawnSecret(value: string): boolean {
  if ([other, pattern, hexNumber, publicKey, joinedLetters].some((kind) => kind.test(value))) {
    return false;
  }
  if (isElsewhere(value) || isDigest(value) || isFileName(value)) return false;
  if (isIdentifier(value) || isPublished(value) || encodesExample(value)) return false;
  if (member.test(value) && wordShare(value) >= memberWordShareMin) return false;
  return looksRandom(value);
}

/** `user:password` in base64. */
function encodesExample(value: string): boolean {
  const [user = "", password] = base64PrintableText(value)?.split(":") ?? [];
  return password !== undefined && isExamplePair(user, password);
}
