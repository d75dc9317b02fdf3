import { randomBytes } from "node:crypto";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { PatternReport } from "../workers/patterns/pattern-task.ts";
import type { ReportJob } from "../workers/report/report-job.ts";
import type { ScanReport } from "../workers/report/reporter.ts";
import { authenticate, type FindKey } from "./authenticate.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { takeJsonBody } from "./json-body.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "./record.ts";
import { carriesRateLimits } from "./limit/rate-headers.ts";
import type { RateLimits } from "./limit/rate-limits.ts";
import { jsonAnswer, refusalAnswer } from "./refusal.ts";
import { readRequestedScan, type RequestedScan } from "./scan-request.ts";

export interface ScanServices {
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
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
  if (!outcome.ok) {
    record.errorCode = outcome.refusal.code;
    if (!carriesRateLimits(outcome.refusal.code)) exchange.keepHeaders([]);
  }
  record.clientGone = exchange.state === "gone";
  exchange.respond(outcome.ok ? outcome.value : refusalAnswer(outcome.refusal));
  services.records(record, exchange);
}

async function serve(
  exchange: Exchange,
  services: ScanServices,
  record: RequestRecord,
): Promise<Outcome<Answer>> {
  const caller = authenticate(exchange.head, services.findKey);
  if (!caller.ok) return caller;
  const { orgId, id } = caller.value.key;
  record.orgId = orgId;
  record.apiKeyId = id;
  const limited = services.rateLimits.scan(exchange, caller.value.key);
  if (!limited.ok) return limited;
  const body = await takeJsonBody(exchange, record);
  if (!body.ok) return body;
  const requested = readRequestedScan(body.value, services.contentBytesMax);
  if (!requested.ok) return requested;
  const scanned = await runScan(requested.value, orgId, services);
  record.scanMs = sinceArrivalMs(exchange);
  if (!scanned.ok) return scanned;
  record.injection = scanned.value.report.injection;
  return accept(jsonAnswer(responseJson(requested.value, scanned.value)));
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
