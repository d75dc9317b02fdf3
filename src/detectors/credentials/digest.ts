/** A hash with its name before it, as crypt keeps a password, and as Python's libraries do. */
const digest =
  /^(?:sha\d+|md5|h1)[-:]|^\$(?:\d|2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*)\$|^(?:pbkdf2|argon2|bcrypt|scrypt|md5|sha\d)\w*\$/i;

/** Whether a value is what something can be checked by, and not the thing: `sha512-…`, `$argon2id$…`. */
export function isDigest(value: string): boolean {
  return digest.test(value);
}
