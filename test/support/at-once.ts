/** A value that may be a promise and is none, because nothing waits. */
export function atOnce<T>(value: T | Promise<T>): T {
  if (value instanceof Promise) throw new Error("something waits");
  return value;
}
