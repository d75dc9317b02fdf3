import { LineEnds } from "./line-ends.ts";

const dataField = Buffer.from("data:");
const space = 0x20;
/** A stream may begin with a byte order mark; the mark is not part of the first line. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** The same in latin1. */
const dataName = /^(?:\u00ef\u00bb\u00bf)?data(?::[ ]?|$)/;
const lineEnd = /\r\n|\n|\r/;

/** The line, in latin1, as it reads at the beginning of a stream. */
export function withoutByteOrderMark(line: string): string {
  return line.startsWith("\u00ef\u00bb\u00bf") ? line.slice(byteOrderMark.length) : line;
}

/** The text after `data:` in a line without its line end; null for any other line. */
export function dataOf(line: Buffer): Buffer | null {
  const from = startsWith(line, 0, byteOrderMark) ? byteOrderMark.length : 0;
  if (!startsWith(line, from, dataField)) return null;
  const start = from + dataField.length;
  return line.subarray(line[start] === space ? start + 1 : start);
}

/** The payload of an event: its `data:` lines joined by line feeds; null: it has none. */
export function payloadOf(event: Buffer): Buffer | null {
  const lines = event
    .toString("latin1")
    .split(lineEnd)
    .flatMap((line) => {
      const data = dataName.exec(line);
      return data === null ? [] : [line.slice(data[0].length)];
    });
  return lines.length === 0 ? null : Buffer.from(lines.join("\n"), "latin1");
}

/**
 * The event with another payload, JSON without line breaks in its strings, in place of its first
 * `data:` line; all other bytes stay.
 */
export function withPayload(event: Buffer, payload: Buffer): Buffer {
  const parts = event.toString("latin1").split(/(\r\n|\n|\r)/);
  const text = payload.toString("latin1").replaceAll("\n", " ");
  let isFirst = true;
  let edited = "";
  for (let at = 0; at < parts.length; at += 2) {
    const line = parts[at] ?? "";
    const end = parts[at + 1] ?? "";
    const data = dataName.exec(line);
    if (data === null) edited += line + end;
    else if (isFirst) edited += (data[0].includes(":") ? data[0] : `${data[0]}:`) + text + end;
    if (data !== null) isFirst = false;
  }
  return Buffer.from(edited, "latin1");
}

/** The events of a piece of a stream, each with the empty line that ends it; the last may have none. */
export function eventsIn(bytes: Buffer): readonly Buffer[] {
  const lines = new LineEnds();
  const events: Buffer[] = [];
  let start = 0;
  lines.begin(bytes);
  while (lines.next()) {
    if (!lines.isEmpty) continue;
    events.push(bytes.subarray(start, lines.behind));
    start = lines.behind;
  }
  if (start < bytes.length) events.push(bytes.subarray(start));
  return events;
}

function startsWith(bytes: Buffer, at: number, start: Buffer): boolean {
  for (let i = 0; i < start.length; i += 1) {
    if (bytes[at + i] !== start[i]) return false;
  }
  return true;
}
