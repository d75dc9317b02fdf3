/**
 * The place of an error in the code, without its message, because the message of a JSON error quotes
 * the text.
 */
export function framesOf(error: unknown): string {
  if (!(error instanceof Error)) return "not an Error";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join("\n");
}
