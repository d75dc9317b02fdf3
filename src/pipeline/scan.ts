import { randomBytes } from "node:crypto";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { PatternReport } from "../workers/patterns/pattern-task.ts";
import type { ReportJob } from "../workers/report/report-job.ts";
import type { ScanReport } from "../workers/report/reporter.ts";
import { findOrganizationKey, readCredentials, type FindKey } from "./authenticate.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { Inspection } from "./inspect.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "./record.ts";
import { jsonAnswer, refusalAnswer } from "./refusal.ts";
import { readRequestedScan, type RequestedScan } from "./scan-request.ts";

export interface ScanServices {
  readonly findKey: FindKey;
  /** Refuses `detector_unavailable`. */
  readonly report: (job: ReportJob) => Promise<Outcome<ScanReport>>;
  /** Checks the patterns and runs them; refuses `invalid_request`, `detector_unavailable`. */
  readonly searchPatterns: (job: ReportJob, patterns: unknown) => Promise<Outcome<PatternReport>>;
  readonly records: Records;
  /** The longest serialized content of one scan, bytes. */
  readonly contentBytesMax: number;
}

/** `POST /v1/security/scan` (spec: Security scan). Advisory: it answers with findings, nothing else. */
export async function securityScan(exchange: Exchange, services: ScanServices): Promise<void> {
  const record = new RequestRecord("rest");
  const outcome = await serve(exchange, services, record);
  if (!outcome.ok) record.errorCode = outcome.refusal.code;
  record.clientGone = exchange.state === "gone";
  exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal));
  services.records(record, exchange);
}

async function serve(
  exchange: Exchange,
  services: ScanServices,
  record: RequestRecord,
): Promise<Outcome<Answer>> {
  const credentials = readCredentials(exchange.head);
  if (!credentials.ok) return credentials;
  const key = findOrganizationKey(credentials.value.serviceKey, services.findKey);
  if (!key.ok) return key;
  const { orgId } = key.value;
  record.orgId = orgId;
  record.apiKeyId = key.value.id;
  const requested = await takeRequest(exchange, services.contentBytesMax, record);
  if (!requested.ok) return requested;
  const scanned = await runScan(requested.value, orgId, services);
  record.scanMs = sinceArrivalMs(exchange);
  if (!scanned.ok) return scanned;
  record.injection = scanned.value.report.injection;
  return accept(jsonAnswer(responseJson(requested.value, scanned.value)));
}

async function takeRequest(
  exchange: Exchange,
  contentBytesMax: number,
  record: RequestRecord,
): Promise<Outcome<RequestedScan>> {
  const inspection = new Inspection();
  const body = await exchange.readBody(inspection);
  if (!body.ok) return body;
  record.bytesIn = body.value.length;
  record.bodyMs = sinceArrivalMs(exchange);
  const inspected = inspection.finish(body.value);
  return inspected.ok ? readRequestedScan(inspected.value, contentBytesMax) : inspected;
}

interface Scanned {
  readonly report: ScanReport;
  /** null: no patterns were supplied. */
  readonly patterns: PatternReport | null;
}

/** Invalid patterns refuse the scan before anything is scanned (spec: Scan-specific codes). */
async function runScan(
  { target, content, options, customPatterns }: RequestedScan,
  orgId: string,
  services: ScanServices,
): Promise<Outcome<Scanned>> {
  const job: ReportJob = { kind: "report", target, bytes: content, options, orgId };
  const patterns =
    customPatterns === undefined
      ? accept(null)
      : await services.searchPatterns(job, customPatterns);
  if (!patterns.ok) return patterns;
  const report = await services.report(job);
  if (!report.ok) return report;
  return accept({ report: report.value, patterns: patterns.value });
}

/** The contract's response; the redacted text is JSON already and is put in as it is. */
function responseJson({ options }: RequestedScan, { report, patterns }: Scanned): string {
  const { input_tokens, billable_tokens, scanned, injection, entities, detections } = report;
  const rest = JSON.stringify({
    scan_id: `scan_${randomBytes(16).toString("hex")}`,
    sensitivity: options.sensitivity,
    input_tokens,
    billable_tokens,
    scanned,
    injection,
    entities,
    detections,
    custom_pattern_findings: patterns?.findings ?? [],
    custom_pattern_scan: patterns?.summary ?? null,
  });
  return `${rest.slice(0, -1)},"redacted_text":${report.redactedJson ?? "null"}}`;
}
