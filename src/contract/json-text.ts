/** What JSON writes as it is; most texts of records are nothing else. */
const plain = /^[\w./:-]*$/;

/** A text as JSON has it. */
export function quoted(text: string | null): string {
  if (text === null) return "null";
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** A number as JSON has it: what is no finite number is null. */
export function numeric(value: number | null): string {
  return value !== null && Number.isFinite(value) ? String(value) : "null";
}
