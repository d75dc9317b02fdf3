import { usageEventBytesMax } from "../contract/limits.ts";
import type { StreamObserver } from "../pipeline/exchange.ts";
import { mayHaveUsage } from "../pipeline/usage-tap.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const usageKey = Buffer.from('"usage"');
const dataField = Buffer.from("data:");
const none = Buffer.alloc(0);

/** Shows the observer what it wants to see of an SSE answer, and says which bytes go on. */
export interface EventObservation {
  /** What the client gets now; may be empty. */
  push(chunk: Buffer): Buffer;
  /** The answer is over: what was kept until now. */
  finish(): Buffer;
}

export function observeEvents(observer: StreamObserver): EventObservation {
  return observer.mayDrop ? new EventFilter(observer) : new EventWatch(observer);
}

/** Lets every byte pass at once; keeps a copy of the line that is not whole yet. */
class EventWatch implements EventObservation {
  readonly #observer: StreamObserver;
  readonly #line = new PartialBytes(usageEventBytesMax);

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  push(chunk: Buffer): Buffer {
    // Nearly every chunk: whole lines, and no usage among them.
    if (this.#line.isEmpty && chunk.at(-1) === lineFeed && !mayHaveUsage(chunk)) return chunk;
    const lineEnd = chunk.indexOf(lineFeed);
    if (lineEnd < 0) {
      this.#line.add(chunk);
      return chunk;
    }
    this.#show(this.#line.take(chunk.subarray(0, lineEnd)));
    const lastEnd = chunk.lastIndexOf(lineFeed);
    showLines(chunk.subarray(lineEnd + 1, lastEnd + 1), (line) => this.#show(line));
    this.#line.add(chunk.subarray(lastEnd + 1));
    return chunk;
  }

  finish(): Buffer {
    this.#show(this.#line.take(none));
    return none;
  }

  #show(line: Buffer): void {
    const payload = usagePayload(line);
    if (payload !== null) this.#observer.event(payload);
  }
}

/**
 * Lets whole events pass. No client sees an event before its end, so none comes later than it would;
 * an event too large to be kept passes unseen.
 */
class EventFilter implements EventObservation {
  readonly #observer: StreamObserver;
  readonly #event = new PartialBytes(usageEventBytesMax);

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  push(chunk: Buffer): Buffer {
    if (this.#event.isEmpty && endsWithEvent(chunk)) return this.#pass(chunk);
    // Only what is new is looked at, or an event in many small chunks would cost its length for each.
    const end = this.#event.lastEndIn(chunk);
    const passed = end > 0 ? this.#pass(this.#event.take(chunk.subarray(0, end))) : none;
    const rest = chunk.subarray(end);
    if (this.#event.hasRoomFor(rest)) {
      this.#event.add(rest);
      return passed;
    }
    const unseen = this.#event.take(rest);
    return passed.length === 0 ? unseen : Buffer.concat([passed, unseen]);
  }

  finish(): Buffer {
    return this.#pass(this.#event.take(none));
  }

  /** The events that the observer lets go on. */
  #pass(events: Buffer): Buffer {
    if (!mayHaveUsage(events)) return events;
    const kept: Buffer[] = [];
    let start = 0;
    while (start < events.length) {
      const end = nextEventEnd(events, start);
      const event = events.subarray(start, end);
      if (this.#goesOn(event)) kept.push(event);
      start = end;
    }
    return Buffer.concat(kept);
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

/** The start of a line or event whose end has not come, at most so many bytes. */
class PartialBytes {
  readonly #bytesMax: number;
  /** Grows by doubling, so that many small pieces are copied a few times. */
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

  /** One that is too long is no longer kept. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytesMax) this.#bytes = none;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(piece, this.#length);
    }
    this.#length = length;
  }

  /** What was kept, with its end; empty where it was too long. */
  take(end: Buffer): Buffer {
    const kept = this.#bytes.subarray(0, this.#length);
    const isTooLong = this.#length > this.#bytesMax;
    this.#bytes = none;
    this.#length = 0;
    if (isTooLong) return none;
    return kept.length === 0 ? end : Buffer.concat([kept, end]);
  }

  /** How much of `next`, which goes on where this ends, belongs to whole events. */
  lastEndIn(next: Buffer): number {
    const seamBytes = "\n\r\n".length - 1;
    const before = this.#bytes.subarray(Math.max(0, this.#length - seamBytes), this.#length);
    const end = lastEventEnd(before.length === 0 ? next : Buffer.concat([before, next]));
    return Math.max(0, end - before.length);
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Calls `show` for each whole line that holds the usage key. */
function showLines(lines: Buffer, show: (line: Buffer) => void): void {
  let at = lines.indexOf(usageKey);
  while (at >= 0) {
    const start = lines.lastIndexOf(lineFeed, at) + 1;
    const feed = lines.indexOf(lineFeed, at);
    const end = feed < 0 ? lines.length : feed;
    show(lines.subarray(start, end));
    at = lines.indexOf(usageKey, end);
  }
}

/** What stands behind `data:` of a line that may hold a usage; null for any other line. */
function usagePayload(line: Buffer): Buffer | null {
  if (!mayHaveUsage(line) || !line.subarray(0, dataField.length).equals(dataField)) return null;
  const start = line[dataField.length] === space ? dataField.length + 1 : dataField.length;
  const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
  return line.subarray(start, end);
}

function endsWithEvent(bytes: Buffer): boolean {
  if (bytes.at(-1) !== lineFeed) return false;
  return (
    bytes.at(-2) === lineFeed || (bytes.at(-2) === carriageReturn && bytes.at(-3) === lineFeed)
  );
}

/** Where the last whole event ends, behind its empty line; 0 where there is none. */
function lastEventEnd(bytes: Buffer): number {
  return Math.max(
    behind(bytes.lastIndexOf("\n\n"), "\n\n"),
    behind(bytes.lastIndexOf("\n\r\n"), "\n\r\n"),
  );
}

/** Where the event that begins at `start` ends, found line by line. */
function nextEventEnd(events: Buffer, start: number): number {
  let at = events.indexOf(lineFeed, start);
  while (at >= 0) {
    if (events[at + 1] === lineFeed) return at + 2;
    if (events[at + 1] === carriageReturn && events[at + 2] === lineFeed) return at + 3;
    at = events.indexOf(lineFeed, at + 1);
  }
  return events.length;
}

/** Where a separator that was found ends; 0 where it was not. */
function behind(at: number, separator: string): number {
  return at < 0 ? 0 : at + separator.length;
}
