import { policyEventBytesMax } from "../../contract/limits.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A stream may begin with a byte order mark, here in latin1. */
const dataField = /^(?:\u00ef\u00bb\u00bf)?data(?::[ ]?|$)/;

/**
 * Cuts an SSE stream into its events, each with the empty line that ends it. Lines end with CR LF, LF
 * or CR, as the format allows.
 */
export class EventSplit {
  /** What has come from `#start` to `#end` is of an event that is not whole; behind it there is room. */
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** How far it was looked at, and where the line in progress begins. */
  #at = 0;
  #lineStart = 0;

  /** The events that have come whole; null: one is longer than can be read. */
  push(chunk: Buffer): readonly Buffer[] | null {
    this.#add(chunk);
    const events: Buffer[] = [];
    let end = this.#nextEnd();
    while (end > 0) {
      events.push(this.#bytes.subarray(this.#start, end));
      this.#start = end;
      end = this.#nextEnd();
    }
    return this.#end - this.#start > policyEventBytesMax ? null : events;
  }

  /** What no empty line has ended. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Each growth doubles: an event in many small chunks is copied a few times, not once for each. */
  #add(chunk: Buffer): void {
    const rest = this.rest();
    if (rest.length === 0) this.#moveTo(chunk, chunk.length);
    else {
      const needed = rest.length + chunk.length;
      if (this.#start + needed > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        larger.set(rest);
        this.#moveTo(larger, rest.length);
      }
      // Behind the end nothing was given away: events that went on keep their bytes.
      this.#bytes.set(chunk, this.#end);
      this.#end += chunk.length;
    }
  }

  #moveTo(bytes: Buffer, end: number): void {
    this.#bytes = bytes;
    this.#at -= this.#start;
    this.#lineStart -= this.#start;
    this.#start = 0;
    this.#end = end;
  }

  /** Behind the empty line that ends the first event; 0: it has not come. */
  #nextEnd(): number {
    const bytes = this.#bytes;
    while (this.#at < this.#end) {
      const byte = bytes[this.#at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.#at++;
        continue;
      }
      // A CR at the end may be half of a CR LF.
      if (byte === carriageReturn && this.#at + 1 === this.#end) return 0;
      const isEmpty = this.#at === this.#lineStart;
      this.#at += byte === carriageReturn && bytes[this.#at + 1] === lineFeed ? 2 : 1;
      this.#lineStart = this.#at;
      if (isEmpty) return this.#at;
    }
    return 0;
  }
}

/** The payload of an event: what its `data:` lines say, joined by line feeds; null: it has none. */
export function payloadOf(event: Buffer): Buffer | null {
  const lines = event
    .toString("latin1")
    .split(/\r\n|\n|\r/)
    .flatMap((line) => {
      const data = dataField.exec(line);
      return data === null ? [] : [line.slice(data[0].length)];
    });
  return lines.length === 0 ? null : Buffer.from(lines.join("\n"), "latin1");
}

/**
 * The event with another payload, JSON without line breaks in its strings, in place of its first
 * `data:` line; all else stays.
 */
export function withPayload(event: Buffer, payload: Buffer): Buffer {
  const parts = event.toString("latin1").split(/(\r\n|\n|\r)/);
  const text = payload.toString("latin1").replaceAll("\n", " ");
  let isFirst = true;
  let edited = "";
  for (let at = 0; at < parts.length; at += 2) {
    const line = parts[at] ?? "";
    const end = parts[at + 1] ?? "";
    const data = dataField.exec(line);
    if (data === null) edited += line + end;
    else if (isFirst) edited += (data[0].includes(":") ? data[0] : `${data[0]}:`) + text + end;
    if (data !== null) isFirst = false;
  }
  return Buffer.from(edited, "latin1");
}
