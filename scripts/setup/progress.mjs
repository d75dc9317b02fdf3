/** A failure that the person at the terminal can do something about: its message is all they see. */
export class SetupError extends Error {}

/**
 * One line on stderr.
 * @param {string} message
 */
export function say(message) {
  process.stderr.write(`weir: ${message}\n`);
}
