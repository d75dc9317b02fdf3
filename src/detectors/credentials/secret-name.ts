/*
 * Names of secrets, RE2 fragments in lower case for patterns that ignore case. The words that may
 * follow the word for a secret are listed, because RE2 can't exclude those that may not:
 * `token_url`, `secretName`, `password_hash` and `key_id` are no names of secrets.
 */

/** Words before `key` that make it the name of a secret key. */
const purposes =
  "api access auth private secret encrypt encryption decrypt decryption cipher crypto sign signing signature master service account storage shared session cookie hmac aes rsa ssh gpg jwt license webhook deploy app application consumer integration subscription admin root user client server security machine function host write read project team org sdk rest unseal".split(
    " ",
  );

/**
 * `apiKey`, and any name with a separator before `key`, such as `meadow_key`. `key` alone may name
 * anything.
 */
const key = String.raw`(?:(?:${purposes.join("|")})[ .]?keys?|[_-]key|_keys)`;

/** Keys and tokens in other languages. Each is also a keyword. */
const secretWords =
  "api-schlüssel, api schlüssel, clé api, clé d'api, clave api, clave de api, clave de la api, chiave api, chave api, chave de api, chave da api, klucz api, api キー, apiキー, api 密钥, api密钥, jeton, токен".split(
    ", ",
  );

const secretCore = String.raw`(?:secrets?|tokens?|credentials?|creds?|(?:\b|[_-]|o)auth|_(?:sid|salt|pat)|${secretWords.join("|")}|${key})`;

const users = "db my user root admin sa sql ftp smtp ssh login account".split(" ");

/** Passwords in other languages, as people write them in a chat. Each is also a keyword. */
const passwordWords =
  "passwort, kennwort, mot de passe, mots de passe, contraseña, contrasena, senha, palavra-passe, palavra passe, parola, parola d'ordine, wachtwoord, lösenord, losenord, adgangskode, passord, salasana, hasło, haslo, heslo, jelszó, jelszo, şifre, sifre, пароль, парола, パスワード, 密码, 密碼".split(
    ", ",
  );

const passwordCore =
  String.raw`(?:passw(?:or)?d|passphrase|passcode|${passwordWords.join("|")}|` +
  String.raw`(?:\b|[_-])(?:pass|pwd|pswd|psw|pw|mdp)|(?:${users.join("|")})(?:pass|pwd))`;

const suffix = String.raw`(?:value|val|string|str|text|raw|plain|clear|base|prod|production|dev|development|test|testing|stage|staging|live|sandbox|default|base64|b64|hex|v?\d{1,3})`;

/** The name of a token, a key or another random secret. */
export const secretName = String.raw`${secretCore}(?:[ _.-]?(?:${secretCore}|${suffix})){0,3}`;

/** The name of a password, which may be chosen by a person. */
export const passwordName = String.raw`${passwordCore}(?:[ _.-]?${suffix}){0,3}`;

/** Keywords: a text that contains one of the names contains one of them. */
export const secretNameKeywords = [
  ...["secret", "token", "cred", "auth", "_sid", "_salt", "_pat", "_key", "-key"],
  ...secretWords,
  ...purposes.flatMap((purpose) => [`${purpose}key`, `${purpose} key`, `${purpose}.key`]),
];
export const passwordNameKeywords = [
  ...["pass", "pwd", "pswd", "psw", "pw", "mdp"],
  ...passwordWords.filter((word) => !word.includes("pass")),
];

const publicThings = [
  ..."public pub publishable site page next sync continuation pagination resume scroll cursor".split(
    " ",
  ),
  ..."cancellation change csrf xsrf cache object bucket primary foreign unique partition sort row".split(
    " ",
  ),
  ..."column composite lookup search result limit input output start evaluated lock registry".split(
    " ",
  ),
  ..."idempotency dedupe dedup deduplication routing translation i18n message group index".split(
    " ",
  ),
  ..."measurement tracking websocket encrypted wrapped verify".split(" "),
  ...["client[ _.-]?request", "lifecycle[ _.-]?action"],
];

/**
 * The name of a key or token that is no secret: `publicKey`, `nextPageToken`, `publicKeyToken`. A pattern
 * puts this alternative first, without a value, because the names above can't exclude it.
 */
export const publicName = String.raw`(?:${publicThings.join("|")})[ _.-]?(?:(?:key|token)s?[ _.-]?){1,2}(?:${suffix}|\d{1,3}(?:[_.-]\d{1,3}){0,3})?`;
