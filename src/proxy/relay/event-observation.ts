import { usageEventBytesMax } from "../../contract/limits.ts";
import type { LongPayload, StreamObserver } from "../../exchange/exchange.ts";
import { mayHaveUsage, placeOfUsage } from "../../sse/usage-place.ts";
import { dataOf, eventsIn } from "../../sse/event-fields.ts";
import { behindLastBreak, firstBreak, isBreak, lineAround, LineEnds } from "../../sse/line-ends.ts";

const none = Buffer.alloc(0);

/** A line that brings no payload. */
const unread: LongPayload = { push: () => undefined, kept: null };

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
  /** Reads the incomplete line once it is too long to be kept. */
  #longLine: LongPayload | null = null;

  constructor(observer: StreamObserver) {
    this.#observer = observer;
  }

  push(chunk: Buffer): Buffer {
    // The usual case: whole lines without a usage.
    if (this.#isBetweenLines && isBreak(chunk[chunk.length - 1]) && !isShown(this.#observer, chunk))
      return chunk;
    const lineEnd = firstBreak(chunk);
    if (lineEnd < 0) {
      this.#add(chunk);
      return chunk;
    }
    this.#endLine(chunk.subarray(0, lineEnd));
    const behindLast = behindLastBreak(chunk);
    showLines(this.#observer, chunk.subarray(lineEnd, behindLast));
    this.#add(chunk.subarray(behindLast));
    return chunk;
  }

  finish(): Buffer {
    this.#endLine(none);
    return none;
  }

  get #isBetweenLines(): boolean {
    return this.#line.isEmpty && this.#longLine === null;
  }

  #add(piece: Buffer): void {
    if (this.#longLine !== null) this.#longLine.push(piece);
    else if (this.#line.hasRoomFor(piece)) this.#line.add(piece);
    else this.#longLine = this.#beginLongLine(dataOf(this.#line.take(piece)));
  }

  #beginLongLine(payload: Buffer | null): LongPayload {
    if (payload === null) return unread;
    const long = this.#observer.beginLong();
    long.push(payload);
    return long;
  }

  #endLine(end: Buffer): void {
    if (this.#longLine === null && this.#line.hasRoomFor(end)) {
      showLine(this.#observer, this.#line.take(end));
      return;
    }
    this.#add(end);
    const payload = this.#longLine?.kept ?? null;
    this.#longLine = null;
    if (payload === null) return;
    if (this.#observer.seesAll || mayHaveUsage(payload)) this.#observer.event(payload);
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
    if (!isShown(this.#observer, events)) return events;
    return Buffer.concat(eventsIn(events).filter((event) => this.#goesOn(event)));
  }

  #goesOn(event: Buffer): boolean {
    return showLines(this.#observer, event);
  }
}

/** The beginning of a line or event that has not ended. */
class PartialBytes {
  readonly #bytesMax: number;
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

  /** There must be room for the piece. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#grow(length);
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** The kept bytes with their end. */
  take(end: Buffer): Buffer {
    const kept = this.#bytes.subarray(0, this.#length);
    this.#bytes = none;
    this.#length = 0;
    return kept.length === 0 ? end : Buffer.concat([kept, end]);
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Shows each line that the observer sees. False: one of them is to be dropped. */
function showLines(observer: StreamObserver, lines: Buffer): boolean {
  let goesOn = true;
  let at = placeOfShown(observer, lines, 0);
  while (at >= 0) {
    const { start, end } = lineAround(lines, at);
    if (!showLine(observer, lines.subarray(start, end))) goesOn = false;
    at = placeOfShown(observer, lines, end);
  }
  return goesOn;
}

/** Shows the payload of a line, if it has one that the observer sees. */
function showLine(observer: StreamObserver, line: Buffer): boolean {
  const payload = isShown(observer, line) ? dataOf(line) : null;
  return payload === null || observer.event(payload);
}

function isShown(observer: StreamObserver, bytes: Buffer): boolean {
  return placeOfShown(observer, bytes, 0) >= 0;
}

/** A place in the next line that the observer sees; -1: there is none. */
function placeOfShown({ seesAll }: StreamObserver, bytes: Buffer, from: number): number {
  return seesAll ? bytes.indexOf("data:", from) : placeOfUsage(bytes, from);
}
