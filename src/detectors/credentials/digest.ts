/**
 * A hash with the name of its algorithm before it, as crypt and Python's libraries store passwords.
 */
const digest =
  /^(?:sha\d+|md5|h1)[-:]|^\$(?:\d|2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*)\$|^(?:pbkdf2|argon2|bcrypt|scrypt|md5|sha\d)\w*\$/i;

/** Whether a value is only the hash of something: `sha512-…`, `$argon2id$…`. */
export function isDigest(value: string): boolean {
  return digest.test(value);
}
