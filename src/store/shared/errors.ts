/**
 * An error of the database without what it tells of values: its message, details and place may have parts of what was
 * written. Only its code is left, such as `23505` or `ECONNREFUSED`.
 */
export function bareError(message: string, error: unknown): Error {
  return new Error(`${message} (${codeOf(error) ?? "no code"})`);
}

/** Whether the database refuses the values themselves, today and later. */
export function isOfTheValues(error: unknown): boolean {
  // Data exceptions, violated constraints, and what is too large for it.
  return /^(22|23|54)[0-9A-Z]{3}$/.test(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | null {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^[0-9A-Z_]{1,40}$/.test(code) ? code : null;
}

/** Why nothing may go on, for the operator. */
export function setBack(why: string): string {
  return `The database of the store went back in time: ${why}. If it was set back on purpose, stop all gateways and run npm run accept-restored.`;
}
