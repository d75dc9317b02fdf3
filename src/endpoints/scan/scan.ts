import { accept, type Outcome } from "../../contract/outcome.ts";
import { authenticate, type FindKey } from "../../pipeline/caller/authenticate.ts";
import type { Answer, Exchange } from "../../exchange/exchange.ts";
import { takeJsonBody } from "../../pipeline/body/json-body.ts";
import type { RateLimits } from "../../pipeline/limits/rate-limits.ts";
import { runPaidScan, scanResponseJson, type PaidScanServices } from "./paid-scan.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "../../pipeline/record/record.ts";
import { serve } from "../../pipeline/serve.ts";
import { jsonAnswer } from "../../exchange/refusal.ts";
import { readRequestedScan } from "./scan-request.ts";

export interface ScanServices extends PaidScanServices {
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly records: Records;
  /** The longest serialized content of one scan, in bytes. */
  readonly contentBytesMax: number;
}

/** `POST /v1/security/scan` (spec: Security scan). Advisory: it only answers with findings. */
export async function securityScan(exchange: Exchange, services: ScanServices): Promise<void> {
  const record = new RequestRecord("rest");
  await serve(record, exchange, services, (findKey) => answer(exchange, findKey, services, record));
}

async function answer(
  exchange: Exchange,
  findKey: FindKey,
  services: ScanServices,
  record: RequestRecord,
): Promise<Outcome<Answer>> {
  const caller = authenticate(exchange.head, findKey);
  if (!caller.ok) return caller;
  const { orgId } = caller.value.key;
  const limiting = services.rateLimits.scan(exchange, caller.value.key);
  const limited = limiting instanceof Promise ? await limiting : limiting;
  if (!limited.ok) return limited;
  const body = await takeJsonBody(exchange, record);
  if (!body.ok) return body;
  const requested = readRequestedScan(body.value, services.contentBytesMax);
  if (!requested.ok) return requested;
  const payer = { requestId: exchange.requestId, orgId, record };
  const paid = await runPaidScan(requested.value, payer, services);
  record.scanMs = sinceArrivalMs(exchange);
  if (!paid.ok) return paid;
  const { report, headers } = paid.value;
  record.injection = report.injection;
  const answer = jsonAnswer(scanResponseJson(paid.value));
  return accept({ ...answer, headers: [...answer.headers, ...headers] });
}
