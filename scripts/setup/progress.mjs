/** A failure that the user can fix. The user sees only its message. */
export class SetupError extends Error {}

/**
 * One line on stderr.
 * @param {string} message
 */
export function say(message) {
  process.stderr.write(`weir: ${message}\n`);
}
