/** When an event was made, of its canonical line: ISO 8601 in UTC, to the millisecond. */
export function createdAtOf(line: string): string {
  // Read without parsing: what stands before it holds no unescaped quote.
  const start = line.indexOf(createdAtKey) + createdAtKey.length;
  return line.slice(start, line.indexOf('"', start));
}

const createdAtKey = '"created_at":"';

/**
 * A time in the form that events have, to be compared with theirs as text: before the year 0 and behind the
 * year 9999, which are written in another form, it is the first or the last moment that has this one.
 */
export function eventTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}

const firstMs = Date.parse("0000-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");
