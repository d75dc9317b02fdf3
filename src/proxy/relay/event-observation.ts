import { usageEventBytesMax } from "../../contract/limits.ts";
import type { StreamObserver } from "../../exchange/exchange.ts";
import { mayHaveUsage, placeOfUsage } from "../../sse/usage-place.ts";
import { dataOf, eventsIn } from "../../sse/event-fields.ts";
import { behindLastBreak, firstBreak, isBreak, lineAround, LineEnds } from "../../sse/line-ends.ts";

const none = Buffer.alloc(0);

/**
 * Shows the observer the relevant parts of an SSE answer, and decides which bytes the client gets.
 */
export interface EventObservation {
  /** The bytes for the client now; may be empty. */
  push(chunk: Buffer): Buffer;
  /** The answer is over. Returns the bytes that were kept until now. */
  finish(): Buffer;
}

export function observeEvents(observer: StreamObserver): EventObservation {
  return observer.mayDrop ? new FilteredEvents(observer) : new EventWatch(observer);
}

/** Lets every byte pass at once, and keeps a copy of the incomplete line. */
class EventWatch implements EventObservation {
  readonly #observer: StreamObserver;
  readonly #line = new PartialBytes(usageEventBytesMax);

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  push(chunk: Buffer): Buffer {
    // The usual case: whole lines without a usage.
    if (this.#line.isEmpty && isBreak(chunk[chunk.length - 1]) && !mayHaveUsage(chunk))
      return chunk;
    const lineEnd = firstBreak(chunk);
    if (lineEnd < 0) {
      this.#line.add(chunk);
      return chunk;
    }
    this.#show(this.#line.takeLine(chunk.subarray(0, lineEnd)));
    const behindLast = behindLastBreak(chunk);
    showLines(chunk.subarray(lineEnd, behindLast), (line) => this.#show(line));
    this.#line.add(chunk.subarray(behindLast));
    return chunk;
  }

  finish(): Buffer {
    this.#show(this.#line.takeLine(none));
    return none;
  }

  #show(line: Buffer): void {
    const payload = usagePayload(line);
    if (payload !== null) this.#observer.event(payload);
  }
}

/**
 * Lets whole events pass. Clients act on an event only at its end, so this delays none of them. An event that
 * is too large to be kept passes unseen.
 */
class FilteredEvents implements EventObservation {
  readonly #observer: StreamObserver;
  readonly #lines = new LineEnds();
  readonly #event = new PartialBytes(usageEventBytesMax);

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  push(chunk: Buffer): Buffer {
    if (this.#event.isEmpty && this.#lines.endsEvent(chunk)) return this.#pass(chunk);
    const end = this.#lastEventEnd(chunk);
    const passed = end < 0 ? none : this.#pass(this.#event.take(chunk.subarray(0, end)));
    const rest = chunk.subarray(Math.max(0, end));
    if (this.#event.hasRoomFor(rest)) {
      this.#event.add(rest);
      return passed;
    }
    const unseen = this.#event.take(rest);
    return passed.length === 0 ? unseen : Buffer.concat([passed, unseen]);
  }

  /**
   * The offset in the chunk at which the last event ends; 0 if a CR before the chunk ended one; -1 if none
   * ends.
   */
  #lastEventEnd(chunk: Buffer): number {
    const lines = this.#lines;
    let end = -1;
    lines.begin(chunk);
    while (lines.next()) if (lines.isEmpty) end = lines.behind;
    return end;
  }

  finish(): Buffer {
    return this.#pass(this.#event.take(none));
  }

  /** The events that the observer lets pass. */
  #pass(events: Buffer): Buffer {
    if (!mayHaveUsage(events)) return events;
    return Buffer.concat(eventsIn(events).filter((event) => this.#goesOn(event)));
  }

  #goesOn(event: Buffer): boolean {
    let goesOn = true;
    showLines(event, (line) => {
      const payload = usagePayload(line);
      if (payload !== null && !this.#observer.event(payload)) goesOn = false;
    });
    return goesOn;
  }
}

/**
 * The beginning of a line or event that has not ended, up to a maximum length. Of a longer one its first and
 * last bytes are kept, for there the usage stands: between them is what the caller or the model made long.
 */
class PartialBytes {
  readonly #bytesMax: number;
  #head: Buffer = none;
  #tail: Buffer = none;
  /** Doubles when it grows, so many small pieces are copied only a few times. */
  #bytes: Buffer = none;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  hasRoomFor(piece: Buffer): boolean {
    return this.#length + piece.length <= this.#bytesMax;
  }

  /** If the beginning becomes too long, it is no longer kept. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytesMax) {
      if (this.#length <= this.#bytesMax) this.#keepEnds();
      this.#tail = lastBytes(this.#tail, piece);
    } else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = length;
  }

  /** The kept bytes with their end; empty if they were too long. */
  take(end: Buffer): Buffer {
    const kept = this.#bytes.subarray(0, this.#length);
    const isTooLong = this.#length > this.#bytesMax;
    this.#bytes = none;
    this.#length = 0;
    if (isTooLong) {
      this.#head = this.#tail = none;
      return none;
    }
    return kept.length === 0 ? end : Buffer.concat([kept, end]);
  }

  /** Like `take`, of a line that may be too long: then what its last bytes say of its usage. */
  takeLine(end: Buffer): Buffer {
    if (this.#length + end.length <= this.#bytesMax) return this.take(end);
    if (this.#length <= this.#bytesMax) this.#keepEnds();
    const ends = Buffer.concat([this.#head, lastBytes(this.#tail, end)]);
    this.#length = 0;
    this.#head = this.#tail = none;
    return lastUsage(ends);
  }

  #keepEnds(): void {
    const kept = this.#bytes.subarray(0, this.#length);
    this.#head = Buffer.from(kept.subarray(0, endBytesMax));
    this.#tail = kept.subarray(endBytesMax);
    this.#bytes = none;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Enough for a usage and for what stands behind it. */
const endBytesMax = 64 * 1024;

function lastBytes(before: Buffer, piece: Buffer): Buffer {
  if (piece.length >= endBytesMax) return Buffer.from(piece.subarray(-endBytesMax));
  return Buffer.concat([before.subarray(-(endBytesMax - piece.length)), piece]);
}

/** A line with the last usage object alone; empty if there is none. JSON in strings has escaped quotes. */
function lastUsage(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf('"usage":{');
  if (at < 0) return none;
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    if (bytes[i] === openBrace) depth++;
    else if (bytes[i] === closeBrace && --depth === 0) {
      return Buffer.concat([Buffer.from("data: {"), bytes.subarray(at, i + 1), Buffer.from("}")]);
    }
  }
  return none;
}

const [openBrace, closeBrace] = [0x7b, 0x7d];

/** Calls `show` for each line that may hold a usage. */
function showLines(lines: Buffer, show: (line: Buffer) => void): void {
  let at = placeOfUsage(lines, 0);
  while (at >= 0) {
    const { start, end } = lineAround(lines, at);
    show(lines.subarray(start, end));
    at = placeOfUsage(lines, end);
  }
}

/** The payload after `data:` of a line that may hold a usage; null for any other line. */
function usagePayload(line: Buffer): Buffer | null {
  return mayHaveUsage(line) ? dataOf(line) : null;
}
