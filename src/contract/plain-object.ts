/** A JSON object whose members are not checked yet. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Whether the value is an object in the sense of JSON: no array and no null. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
