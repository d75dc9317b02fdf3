/*
 * Names of secrets, RE2 fragments in lower case for patterns that ignore case. What may follow the
 * telling word is listed, for RE2 can't exclude what may not: `token_url`, `secretName`,
 * `password_hash` and `key_id` are no names of secrets.
 */

/** A key is secret by what it is for; `key` alone and at the end of `some_key` is left to its value. */
const keyOf =
  "api|access|auth|private|secret|encrypt(?:ion)?|decrypt(?:ion)?|cipher|crypto|sign(?:ing|ature)?|master|service|account|storage|shared|session|cookie|hmac|aes|rsa|ssh|gpg|jwt|license|webhook|deploy|app|application|consumer|integration|subscription|admin|root|user|client|server|security|machine|function|host|write|read|project|team|org|sdk|rest|server";
const key = String.raw`(?:${keyOf})[ _.-]?key|[_-]key`;

const secretCore = `(?:secret|token|credentials?|creds?|(?:\\b|[_-]|o)auth|(?:\\b|_)(?:sid|salt|pat)|${key})`;

const passwordCore = String.raw`(?:passw(?:or)?d|passphrase|passcode|passwort|kennwort|contrase(?:n|ñ)a|senha|(?:\b|[_-])(?:pass|pwd|pswd|psw)|(?:db|my|user|root|admin|sa|sql|ftp|smtp|ssh|login|account)(?:pass|pwd))`;

const suffix = String.raw`(?:value|val|string|str|text|raw|plain|clear|base|prod|production|dev|development|test|testing|stage|staging|live|sandbox|default|base64|b64|hex|v?\d{1,3})`;

/** The name of a token, key or other secret that is drawn. */
export const secretName = String.raw`${secretCore}(?:[ _.-]?(?:${secretCore}|${suffix})){0,3}`;

/** The name of a password, which may be chosen by a person. */
export const passwordName = String.raw`${passwordCore}(?:[ _.-]?${suffix}){0,3}`;

/** What a text holds in which one of the names occurs. */
export const secretNameKeywords = ["secret", "token", "cred", "auth", "sid", "salt", "pat", "key"];
export const passwordNameKeywords = ["pass", "pwd", "pswd", "psw", "kennwort", "contrase", "senha"];

/** Beside these a value is a secret whatever else stands nearby … */
export const secretContext = ["secret", "token", "private", "api", "access", "auth"];
/** … and beside these it is none. */
export const secretOtherwise = [
  "public",
  "pubkey",
  "publishable",
  "fingerprint",
  "thumbprint",
  "checksum",
  "csrf",
  "xsrf",
  "next page",
  "page token",
];
