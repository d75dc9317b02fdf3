/** An object of JSON whose members nobody has looked at yet. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** What JSON calls an object: no array, no null. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
