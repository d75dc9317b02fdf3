/**
 * The first byte of a packed line of the log. A request's line is packed as numbers and texts
 * (`request-log.ts`). Every other line is unchanged, in UTF-8.
 */
export const packedLines = { text: 0, request: 1 } as const;

/** A line in its packed form. */
export function packedLine(line: string): Buffer {
  return Buffer.from(`${textMark}${line}`);
}

const textMark = String.fromCharCode(packedLines.text);
