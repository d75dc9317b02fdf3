import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Inspection, type InspectedBody } from "./inspect.ts";
import { sinceArrivalMs, type RequestRecord } from "../record/record.ts";

/**
 * Takes the body as a JSON object and validates it while it arrives. Must be called before the first `await`
 * of a pipeline. Errors: those of `Exchange.readBody` and of `Inspection`.
 */
export async function takeJsonBody(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  noteBody(record, exchange, body.value);
  return inspection.finish(body.value);
}

/** Like `takeJsonBody`; null if the body is empty. */
export async function takeOptionalJsonBody(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody | null>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  noteBody(record, exchange, body.value);
  return body.value.length === 0 ? accept(null) : inspection.finish(body.value);
}

/** Notes that a body has come, and keeps its beginning where bodies are kept. */
export function noteBody(record: RequestRecord, exchange: Exchange, bytes: Uint8Array): void {
  record.bodies?.keepRequest(bytes);
  record.bytesIn = bytes.length;
  record.bodyMs = sinceArrivalMs(exchange);
}
