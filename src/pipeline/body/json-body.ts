import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { Inspection, type InspectedBody } from "./inspect.ts";
import { sinceArrivalMs, type RequestRecord } from "../record/record.ts";

/**
 * Takes the body as a JSON object, validated while it arrives. To be called before the first
 * `await` of a pipeline. Errors: those of `Exchange.readBody` and of `Inspection`.
 */
export async function takeJsonBody(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody>> {
  const inspection = new Inspection();
  const bytes = await take(exchange, record, inspection);
  return bytes.ok ? inspection.finish(bytes.value) : bytes;
}

/** As `takeJsonBody`; null where not a byte has come. */
export async function takeOptionalJsonBody(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody | null>> {
  const inspection = new Inspection();
  const bytes = await take(exchange, record, inspection);
  if (!bytes.ok) return bytes;
  return bytes.value.length === 0 ? accept(null) : inspection.finish(bytes.value);
}

async function take(
  exchange: Exchange,
  record: RequestRecord,
  inspection: Inspection,
): Promise<Outcome<Uint8Array>> {
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  record.bodies?.keepRequest(body.value);
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  return body;
}
