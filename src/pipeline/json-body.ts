import type { Outcome } from "../contract/outcome.ts";
import type { Exchange } from "./exchange.ts";
import { Inspection, type InspectedBody } from "./inspect.ts";
import { sinceArrivalMs, type RequestRecord } from "./record.ts";

/**
 * Takes the body as a JSON object, validated while it arrives. To be called before the first
 * `await` of a pipeline. Errors: those of `Exchange.readBody` and of `Inspection`.
 */
export async function takeJsonBody(
  exchange: Exchange,
  record: RequestRecord,
): Promise<Outcome<InspectedBody>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  return inspection.finish(body.value);
}
