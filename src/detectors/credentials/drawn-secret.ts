import { looksRandom } from "./randomness.ts";

/** An address, an e-mail address, a call, a type: what is assigned to such names besides secrets. */
const other =
  /:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+[[(]|::|^[\d.,:/_-]+$|^arn:|^(?:sha\d+|md5)[-:]|^data:|^[./~].*\//;

/** Whether a value that is assigned to the name of a secret is one. */
export function isDrawnSecret(value: string): boolean {
  return !other.test(value) && looksRandom(value);
}
