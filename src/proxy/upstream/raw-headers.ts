import type { Dispatcher } from "undici";
import { isEncoded } from "../../exchange/answer-encoding.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";

export function isEventStream(headers: FlatHeaders): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(header(headers, "content-type") ?? "");
}

/** True if the headers don't rule out that an answer to a stream request is an event stream. */
export function mayBeEventStream(headers: FlatHeaders): boolean {
  const type = header(headers, "content-type")?.trim() ?? "";
  return (type === "" || /^text\/plain\s*(;|$)/i.test(type)) && !isEncoded(headers);
}

type RawHeaders = Dispatcher.DispatchController["rawHeaders"];

/** undici's raw headers (alternating buffers) as lower-case names and latin1 values. */
export function flatHeaders(raw: RawHeaders): FlatHeaders {
  if (!Array.isArray(raw)) throw new Error("undici passed no raw headers");
  return raw.map((part: Buffer | string, i) => {
    const text = typeof part === "string" ? part : part.toString("latin1");
    return i % 2 === 0 ? text.toLowerCase() : text;
  });
}
