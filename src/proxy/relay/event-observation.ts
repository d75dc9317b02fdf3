import { usageEventBytesMax } from "../../contract/limits.ts";
import type { StreamObserver } from "../../exchange/exchange.ts";
import { mayHaveUsage, placeOfUsage } from "../../sse/usage-place.ts";
import { dataOf, eventsIn } from "../../sse/event-fields.ts";
import { behindLastBreak, firstBreak, isBreak, lineAround, LineEnds } from "../../sse/line-ends.ts";

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
    if (this.#line.isEmpty && isBreak(chunk[chunk.length - 1]) && !mayHaveUsage(chunk))
      return chunk;
    const lineEnd = firstBreak(chunk);
    if (lineEnd < 0) {
      this.#line.add(chunk);
      return chunk;
    }
    this.#show(this.#line.take(chunk.subarray(0, lineEnd)));
    const behindLast = behindLastBreak(chunk);
    showLines(chunk.subarray(lineEnd, behindLast), (line) => this.#show(line));
    this.#line.add(chunk.subarray(behindLast));
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

  /** Where in the chunk the last event ends; 0 where a CR before it has ended one; -1: none ends. */
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

  /** The events that the observer lets go on. */
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

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Calls `show` for each line that may hold a usage. */
function showLines(lines: Buffer, show: (line: Buffer) => void): void {
  let at = placeOfUsage(lines, 0);
  while (at >= 0) {
    const { start, end } = lineAround(lines, at);
    show(lines.subarray(start, end));
    at = placeOfUsage(lines, end);
  }
}

/** What stands behind `data:` of a line that may hold a usage; null for any other line. */
function usagePayload(line: Buffer): Buffer | null {
  return mayHaveUsage(line) ? dataOf(line) : null;
}
