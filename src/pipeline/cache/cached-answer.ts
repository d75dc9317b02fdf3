import { cacheAnswerBytesMax, cacheEntryOverheadBytes } from "../../contract/limits.ts";
import { isPlainObject, type PlainObject } from "../../contract/plain-object.ts";
import type { Wire } from "../../contract/wire.ts";
import { JsonScanner } from "../../json/scanner.ts";
import { payloadOf } from "../../sse/event-fields.ts";
import { isEncoded } from "../../exchange/answer-encoding.ts";
import type { BufferedAnswer } from "../../exchange/exchange.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";
import { EventSplit } from "../policy/event-split.ts";

/** A provider's whole answer with status 200, before any rules for answers are applied. */
export interface CachedAnswer {
  readonly headers: FlatHeaders;
  readonly body: Buffer;
  /** The offsets at which the events of a stream end; null if the answer is JSON. */
  readonly eventEnds: Uint32Array | null;
}

/** An answer as it was sent to a client. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer;
}

/** The bytes of an answer that count toward the cache's bound. */
export function sizeOf({ headers, body, eventEnds }: CachedAnswer): number {
  const text = headers.reduce((sum, part) => sum + part.length, 0);
  return cacheEntryOverheadBytes + text + body.length + (eventEnds?.byteLength ?? 0);
}

/** null if it is no whole JSON answer, is too long, or reports an error. */
export function cachedJson({ status, headers, body }: BufferedAnswer): CachedAnswer | null {
  if (status !== 200 || body.length > cacheAnswerBytesMax) return null;
  if (isEncoded(headers) || !/\bjson\b/i.test(header(headers, "content-type") ?? "")) return null;
  // A connection that ends too early may look like the end of the answer.
  const scanned = new JsonScanner().finish(body, body.length);
  if ("reason" in scanned || scanned.root !== "object") return null;
  const copy = ownCopy([body], body.length);
  if (tellsOfError(copy)) return null;
  return { headers: replayed(headers), body: copy, eventEnds: null };
}

/** null if it is no whole stream of the wire, or if it reports an error. */
export function cachedStream(
  wire: Wire,
  { status, headers, body }: SentAnswer,
): CachedAnswer | null {
  const type = header(headers, "content-type") ?? "";
  if (status !== 200 || isEncoded(headers) || !/^\s*text\/event-stream\b/i.test(type)) return null;
  const split = new EventSplit();
  const whole = split.push(body);
  if (whole === null) return null;
  const rest = split.rest();
  const events = rest.length === 0 ? whole : [...whole, rest];
  const payloads = events.map((event) => payloadOf(event));
  if (!payloads.some((payload) => isLast(wire, payload))) return null;
  if (payloads.some(tellsOfError)) return null;
  let end = 0;
  const eventEnds = Uint32Array.from(events, (event) => (end += event.length));
  return { headers: replayed(headers), body, eventEnds };
}

/** Copies into separate memory: a small Node buffer is part of a larger one, which it keeps alive. */
export function ownCopy(pieces: readonly Uint8Array[], length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    copy.set(piece, at);
    at += piece.length;
  }
  return copy;
}

function isLast(wire: Wire, payload: Buffer | null): boolean {
  if (payload === null) return false;
  if (wire === "responses") {
    return (
      payload.includes('"response.completed"') &&
      objectIn(payload)?.["type"] === "response.completed"
    );
  }
  if (wire === "chat") return payload.toString("latin1").trim() === "[DONE]";
  return payload.includes('"message_stop"') && objectIn(payload)?.["type"] === "message_stop";
}

/** Some providers put an error into an answer, a chunk or a choice, although the status is 200. */
function tellsOfError(payload: Buffer | null): boolean {
  if (payload?.includes('"error"') !== true) return false;
  const answer = objectIn(payload);
  const choices: unknown = answer?.["choices"];
  return isError(answer) || (Array.isArray(choices) && choices.some(isError));
}

function isError(part: unknown): boolean {
  if (!isPlainObject(part)) return false;
  const { type, finish_reason: reason, error } = part;
  return type === "error" || reason === "error" || (error ?? null) !== null;
}

function objectIn(payload: Buffer): PlainObject | null {
  try {
    const parsed: unknown = JSON.parse(payload.toString("utf8"));
    return isPlainObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * Headers that describe the answer itself. All others describe one request or one connection: its id, its
 * cost, the remaining limits, cookies, timings.
 */
const replayedNames: ReadonlySet<string> = new Set([
  "cache-control",
  "content-language",
  "content-type",
  "openai-version",
  "x-accel-buffering",
]);

function replayed(headers: FlatHeaders): FlatHeaders {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (replayedNames.has(name)) kept.push(name, headers[i + 1] ?? "");
  }
  return kept;
}
