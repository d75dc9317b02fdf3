/** The time of an event from its canonical line: ISO 8601 in UTC, to the millisecond. */
export function createdAtOf(line: string): string {
  // Read without parsing: the text before it has no unescaped quote.
  const start = line.indexOf(createdAtKey) + createdAtKey.length;
  return line.slice(start, line.indexOf('"', start));
}

const createdAtKey = '"created_at":"';

/**
 * A time in the form of events' times, to compare as text. Years before 0 and after 9999 are written in
 * another form; they become the first or the last moment of this form.
 */
export function eventTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}

const firstMs = Date.parse("0000-01-01T00:00:00.000Z");
const lastMs = Date.parse("9999-12-31T23:59:59.999Z");
