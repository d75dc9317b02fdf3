import type { Dispatcher } from "undici";
import { header, type FlatHeaders } from "../pipeline/exchange.ts";

export function isEventStream(headers: FlatHeaders): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(header(headers, "content-type") ?? "");
}

type RawHeaders = Dispatcher.DispatchController["rawHeaders"];

/** undici's raw headers (alternating buffers) as lower-case names and latin1 values. */
export function flatHeaders(raw: RawHeaders): FlatHeaders {
  if (!Array.isArray(raw)) throw new Error("undici gave no raw headers");
  return raw.map((part: Buffer | string, i) => {
    const text = typeof part === "string" ? part : part.toString("latin1");
    return i % 2 === 0 ? text.toLowerCase() : text;
  });
}
