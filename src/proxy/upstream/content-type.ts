import { isEncoded } from "../../exchange/answer-encoding.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";

/** True if the headers say that the answer is an event stream. */
export function isEventStream(headers: FlatHeaders): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(header(headers, "content-type") ?? "");
}

/** True if the headers don't rule out that an answer to a stream request is an event stream. */
export function mayBeEventStream(headers: FlatHeaders): boolean {
  const type = header(headers, "content-type")?.trim() ?? "";
  return (type === "" || /^text\/plain\s*(;|$)/i.test(type)) && !isEncoded(headers);
}
