import type { Wire } from "../../contract/wire.ts";
import { withoutByteOrderMark } from "../../sse/event-fields.ts";
import { LineEnds } from "../../sse/line-ends.ts";

/** The progress of a stream, according to its events. */
export type StreamProgress = "running" | "complete" | "provider_error";

/** The longest beginning of a line that identifies a terminal event. */
const prefixBytesMax = 48;

/**
 * Watches an SSE answer pass and recognizes its terminal event, however the bytes are split. It reads only
 * the beginning of each line. JSON escapes line breaks, so a line can't begin inside a payload. Pure; keeps
 * at most the beginning of one line.
 *
 * Chat ends with `data: [DONE]`, messages with `message_stop`, responses with `response.completed` or
 * `response.incomplete`. Each may end early with an error event of the provider, responses with
 * `response.failed` too.
 */
export class SseTap {
  readonly #wire: Wire;
  readonly #lines = new LineEnds();
  #progress: StreamProgress = "running";
  /** The beginning of the current line, latin1; complete once it is `prefixBytesMax` long. */
  #prefix = "";
  #isFirstLine = true;
  /** True if the line before the current one was empty: the stream is between two events. */
  #isBehindEmptyLine = true;

  /** True if its events are those of its wire. */
  #isKnown: boolean;

  /** `isKnown` false: the path does not prove the wire. */
  constructor(wire: Wire, isKnown = wire !== "responses") {
    this.#wire = wire;
    this.#isKnown = isKnown;
  }

  get isKnown(): boolean {
    return this.#isKnown;
  }

  get progress(): StreamProgress {
    return this.#progress;
  }

  /** True if no part of an unfinished event has passed. */
  get betweenEvents(): boolean {
    return this.#isBehindEmptyLine && this.#lines.isAtStart;
  }

  /** True if the terminal event is complete. */
  get hasEnded(): boolean {
    return this.#progress !== "running" && this.betweenEvents;
  }

  /** Returns how many of the bytes belong to the stream. Bytes after the last event are dropped. */
  push(chunk: Buffer): number {
    if (this.isOver()) return 0;
    const lines = this.#lines;
    lines.begin(chunk);
    while (lines.next()) {
      const { start, end } = lines;
      if (this.#prefix !== "" || (end > start && this.#isLookedAt(chunk, start))) {
        this.#extend(chunk, start, end);
        this.#line();
      }
      this.#isBehindEmptyLine = lines.isEmpty;
      if (lines.isEmpty && this.isOver()) return lines.behind;
    }
    this.#extend(chunk, lines.start, lines.end);
    return chunk.length;
  }

  /**
   * True if no more bytes matter. After an error, more events may come. After the end of a complete
   * stream, none come. Responses pass as they come, because some providers send `[DONE]` after them.
   */
  isOver(): boolean {
    return this.#progress === "complete" && this.betweenEvents && this.#wire !== "responses";
  }

  /** The stream's bytes have ended. The last line counts even without a line break. */
  finish(): StreamProgress {
    if (this.#lines.finish()) this.#isBehindEmptyLine = this.#lines.isEmpty;
    this.#line();
    return this.#progress;
  }

  #isLookedAt(chunk: Buffer, start: number): boolean {
    return this.#isFirstLine || mayBeTerminal(this.#wire, chunk, start);
  }

  #extend(chunk: Buffer, start: number, end: number): void {
    const missing = prefixBytesMax - this.#prefix.length;
    if (missing > 0 && end > start) {
      this.#prefix += chunk.toString("latin1", start, Math.min(end, start + missing));
    }
  }

  /** Reads the current line, which has ended. */
  #line(): void {
    const start = this.#isFirstLine ? withoutByteOrderMark(this.#prefix) : this.#prefix;
    this.#isFirstLine = false;
    this.#prefix = "";
    if (start === "" || this.#progress !== "running") return;
    if (this.#wire === "chat") {
      if (/^data: ?\[DONE\]/.test(start)) this.#progress = "complete";
      else if (/^data: ?\{ ?"error" ?: ?\{/.test(start)) this.#progress = "provider_error";
    } else if (this.#wire === "responses") {
      const type = responsesType.exec(start)?.[1];
      if (type === undefined) return;
      this.#isKnown = true;
      this.#progress = progressOfResponse.get(type) ?? "running";
    } else {
      if (/^event: ?message_stop$/.test(start)) this.#progress = "complete";
      else if (/^data: ?\{ ?"type" ?: ?"message_stop"/.test(start)) this.#progress = "complete";
      else if (/^event: ?error$/.test(start)) this.#progress = "provider_error";
      else if (/^data: ?\{ ?"type" ?: ?"error"/.test(start)) this.#progress = "provider_error";
    }
  }
}

/** The type of the event that the line begins or contains. The name may be longer than the kept beginning. */
const responsesType = /^(?:event: ?|data: ?\{ ?"type" ?: ?")(response\.[a-z_.]+|error)(?:"|$)/;
const progressOfResponse: ReadonlyMap<string, StreamProgress> = new Map([
  ["response.completed", "complete"],
  ["response.incomplete", "complete"],
  ["response.failed", "provider_error"],
  ["error", "provider_error"],
]);

const [d, e, m] = [0x64, 0x65, 0x6d];
const [space, quote, bracket, brace] = [0x20, 0x22, 0x5b, 0x7b];
const typeMember = Buffer.from('{"type":"');

/**
 * False if the line is whole in the chunk and can't be a terminal one. A byte or two decide this for nearly
 * all lines of a stream, so no string is made for them. If the line ends inside the checked bytes, later
 * bytes can only turn the result to true.
 */
function mayBeTerminal(wire: Wire, chunk: Buffer, start: number): boolean {
  // All events of this wire begin in the same way.
  if (wire === "responses") return chunk[start] === d || chunk[start] === e;
  if (chunk[start] === d) {
    const value = behindSpace(chunk, start + "data:".length);
    if (wire === "messages") {
      const isTyped = chunk.subarray(value, value + typeMember.length).equals(typeMember);
      return !isTyped || isTerminalName(chunk[value + typeMember.length]);
    }
    if (chunk[value] !== brace) return chunk[value] === bracket;
    const key = behindSpace(chunk, value + 1);
    return chunk[key] === quote && chunk[key + 1] === e;
  }
  if (wire === "chat" || chunk[start] !== e) return false;
  return isTerminalName(chunk[behindSpace(chunk, start + "event:".length)]);
}

/** `message_stop` or `error`. */
function isTerminalName(first: number | undefined): boolean {
  return first === m || first === e;
}

function behindSpace(chunk: Buffer, at: number): number {
  return chunk[at] === space ? at + 1 : at;
}
