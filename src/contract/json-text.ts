/** Texts that need no escape in JSON. Most texts of records are such. */
const plain = /^[\w./:-]*$/;

/** A text as JSON. */
export function quoted(text: string | null): string {
  if (text === null) return "null";
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** A number as JSON; null if it is not finite. */
export function numeric(value: number | null): string {
  return value !== null && Number.isFinite(value) ? String(value) : "null";
}
