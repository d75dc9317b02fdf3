import { isExamplePair } from "./example-pair.ts";
import { isPlaceholder } from "./placeholder.ts";
import { looksRandom } from "./randomness.ts";
import { isTyped } from "./sequence.ts";

const lengthMin = 2;
/** A typed sequence of this length or more is no real password: nobody types it at each login. */
const drawnLengthMin = 16;
/** Passwords that documentation writes in URLs. Some people really use them. */
const usual =
  /^(?:pass(?:word|wd)?|pwd|secret|user(?:name)?|admin|root|test|guest|postgres|mysql)$/i;
/** A name that is to be filled in: `{password}`, `:PASSWORD:`, `[pass]`, `DB_PASSWORD`. */
const blank = /^[{[(<:]|[}\])>]$|^[A-Z]+(?:_[A-Z]+)*$|^\*+$|^\.+$/;

/** An address of which every part is a name: `user:password@host:port`. */
const example =
  /@(?:host(?:name)?|server|address|domain|ip|url|endpoint)(?:$|[:/])|@[^/]*:(?![\d,]|$)/i;

/** A host that is reserved for examples, the machine itself, or a local name without a dot. */
const nowhere =
  /(?:^|\.)example(?:\.|$)|^(?:[\w-]*|127\.\d+\.\d+\.\d+|0\.0\.0\.0)$|(?:^|\.)(?:(?:my|your)?-?(?:domain|company|host|server|site)|hostname|proxy|foo|bar)\.\w+$/i;
const thisMachineByNumber = /^[\d.]+$/;

/** RFC 1635: anybody may log in with these names. */
const anonymous = /^(?:anonymous|anon)$/i;

/** Words that stand in place of the password if the URL's user is a token. */
const noPassword = /^(?:x|x-oauth-basic)$/i;

interface UrlParts {
  readonly user: string;
  readonly password: string;
  readonly host: string;
}

/**
 * The score of a URL with a user and a password: how likely they give access. False if the password
 * is a placeholder, or if the two are an example's and the host is `nowhere`.
 */
export function urlPasswordScore(url: string, score: number): number | false {
  const { user, password, host } = partsOf(url);
  if (
    lengthOf(password) < lengthMin ||
    blank.test(password) ||
    isPlaceholder(password) ||
    example.test(url)
  )
    return false;
  if (password.length >= drawnLengthMin && isTyped(password)) return false;
  if (noPassword.test(password)) return looksRandom(user) ? score : false;
  if (anonymous.test(user) || isPort(user, password)) return false;
  if (nowhere.test(host) && isExample(user, password, host)) return false;
  return usual.test(password) ? Math.min(score, 0.5) : score;
}

/** `%3A` is one character. */
function lengthOf(password: string): number {
  return password.replace(/%[0-9a-f]{2}/gi, "%").length;
}

function partsOf(url: string): UrlParts {
  const [, user = "", password = "", host = ""] =
    /:\/\/([^:]*):(.*)@(?:\w+\()?([\w.-]*)/s.exec(url) ?? [];
  return { user, password, host };
}

/** Whether these are example or default credentials: `postgres:postgres@localhost`. */
function isExample(user: string, password: string, host: string): boolean {
  if (isExamplePair(user, password)) return true;
  return !thisMachineByNumber.test(host) && (user === password || usual.test(password));
}

/** `http://meadow.test:80@127.0.0.1`: a host and its port, before another host. */
function isPort(user: string, password: string): boolean {
  return user.includes(".") && /^\d{1,5}$/.test(password);
}
