import { looksRandom } from "./randomness.ts";

/** An address, an e-mail address, a call, a type: what is assigned to such names besides secrets. */
const other =
  /:\/\/|^[\w.+-]+@[\w-]+\.\w+$|^\w+[[(]|^(?:this|self|props|state|process|config|env|options|secrets?|vars?|data|params|settings|req|res|ctx)\.|::|^[\d.,:/_-]+$|^arn:|^(?:sha\d+|md5)[-:]|^data:|^[./~].*\//;

/** Whether a value that is assigned to the name of a secret is one. */
export function isDrawnSecret(value: string): boolean {
  return !other.test(value) && looksRandom(value);
}
