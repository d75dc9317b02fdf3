import { shapeOfPath } from "../contract/wire.ts";
import type { Exchange } from "./exchange.ts";
import type { Records, RequestRecord } from "./record.ts";
import { refusalAnswer, unexpected } from "./refusal.ts";

/**
 * Serves a request and hands over its record, whatever comes of it: a bug is answered as one, noted, and
 * thrown on to whoever logs it and cuts an answer that has begun.
 */
export async function recorded(
  record: RequestRecord,
  exchange: Exchange,
  records: Records,
  serve: () => Promise<void>,
): Promise<void> {
  try {
    await serve();
  } catch (error) {
    record.errorCode = unexpected.code;
    exchange.respond(refusalAnswer(unexpected, shapeOfPath(exchange.head.path)));
    throw error;
  } finally {
    record.clientGone = exchange.state === "gone";
    records(record, exchange);
  }
}
