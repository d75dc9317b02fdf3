/** When an event was made, of its canonical line: ISO 8601 in UTC, to the millisecond. */
export function createdAtOf(line: string): string {
  // Read without parsing: what stands before it holds no unescaped quote.
  const start = line.indexOf(createdAtKey) + createdAtKey.length;
  return line.slice(start, line.indexOf('"', start));
}

const createdAtKey = '"created_at":"';
