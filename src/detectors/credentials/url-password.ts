import { isPlaceholder } from "./placeholder.ts";

/** What documentation writes into a URL; someone may still mean it. */
const usual =
  /^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|admin|root|test|guest|postgres|mysql)$/i;
/** A name that is to be filled in: `{password}`, `:PASSWORD:`, `[pass]`, `DB_PASSWORD`. */
const blank = /^[{[(<:]|[}\])>]$|^[A-Z]+(?:_[A-Z]+)*$|^\*+$|^\.+$/;

/** An address of which every part is a name: `user:password@host:port`. */
const example =
  /@(?:host(?:name)?|server|address|domain|ip|url|endpoint)(?:$|[:/])|@[^/]*:(?![\d,]|$)/i;

/**
 * How sure a URL with a user and a password is one that opens something, or false where its
 * password is a blank.
 */
export function urlPasswordScore(url: string, score: number): number | false {
  const password = /:\/\/[^:]*:(.*)@/s.exec(url)?.[1] ?? "";
  if (password === "" || blank.test(password) || isPlaceholder(password) || example.test(url))
    return false;
  return usual.test(password) ? Math.min(score, 0.5) : score;
}
