import { scanCostMicroUsd, scanTokensMax, type BillableScan } from "../../billing/scan-price.ts";
import type { MicroUsd } from "../../contract/money.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { toMicroseconds } from "../../contract/request-event.ts";
import type { ScanRates } from "../../contract/pricing.ts";
import { noUsage, type Cost } from "../../contract/usage.ts";
import { pooledRandomBytes } from "../../runtime/random-bytes.ts";
import type { JobOperation } from "../../store/jobs/job-rows.ts";
import type { PatternReport } from "../../workers/patterns/pattern-task.ts";
import type { ReportJob } from "../../workers/report/report-job.ts";
import type { ScanReport } from "../../workers/report/reporter.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";
import { Payment, type Payer, type PaymentServices } from "../../pipeline/money/payment.ts";
import { keptText } from "../../pipeline/record/kept-bodies.ts";
import { keepSubmission } from "../../pipeline/record/submission.ts";
import type { RequestedScan } from "./scan-request.ts";

/** The services that run and bill one scan, for every route. */
export interface PaidScanServices {
  /** Refuses `detector_unavailable`. */
  readonly report: (job: ReportJob) => Promise<Outcome<ScanReport>>;
  /** Checks the patterns and runs them; refuses `invalid_request`, `detector_unavailable`. */
  readonly searchPatterns: (job: ReportJob, patterns: unknown) => Promise<Outcome<PatternReport>>;
  readonly payments: PaymentServices;
  readonly rates: ScanRates;
}

/** A scan that has run. */
export interface FinishedScan {
  readonly scanId: string;
  readonly report: ScanReport;
  /** The contract's scan response without `redacted_text`. It contains no text of the submission. */
  readonly findingsJson: string;
  /** The submission with labels in place of the findings; null if nothing was found. */
  readonly redactedJson: string | null;
}

export interface PaidScan extends FinishedScan {
  /** The headers that report the cost. */
  readonly headers: FlatHeaders;
}

/**
 * Reserves the most that the scan may cost, runs it and debits its cost. A failed scan gives the reservation
 * back (spec: Billing of scans and requests 4). The debit is durable when this resolves.
 */
export async function runPaidScan(
  requested: RequestedScan,
  payer: Payer,
  services: PaidScanServices,
): Promise<Outcome<PaidScan>> {
  let headers: FlatHeaders = [];
  const finished = await reserveRunDebit(requested, payer, services, async (payment, cost) => {
    headers = await payment.settleWhole(cost);
  });
  return finished.ok ? accept({ ...finished.value, headers }) : finished;
}

/**
 * The same for a scan without a waiting client. The result of `alongside` becomes durable with the debit, all
 * or nothing, about one flush after this has resolved.
 */
export async function runScanInBackground(
  requested: RequestedScan,
  payer: Payer,
  services: PaidScanServices,
  alongside: (scan: FinishedScan) => readonly JobOperation[],
): Promise<Outcome<FinishedScan>> {
  return reserveRunDebit(requested, payer, services, (payment, cost, scan) => {
    payment.settle(cost, alongside(scan));
  });
}

async function reserveRunDebit(
  requested: RequestedScan,
  payer: Payer,
  services: PaidScanServices,
  debit: (payment: Payment, cost: Cost, scan: FinishedScan) => void | Promise<void>,
): Promise<Outcome<FinishedScan>> {
  payer.record.submission = await keepSubmission(requested.content, requested.storeInput);
  const families = billedFamilies(requested);
  const tokensMax = scanTokensMax(requested.content.length);
  const estimate = scanCostMicroUsd({ ...families, billableTokens: tokensMax }, services.rates);
  if (!estimate.ok) return estimate;
  const opening = Payment.open(services.payments, payer, estimate.value);
  const payment = opening instanceof Promise ? await opening : opening;
  if (!payment.ok) return payment;
  try {
    const scanned = await runScan(requested, payer.orgId, services);
    if (!scanned.ok) return scanned;
    const { report } = scanned.value;
    payer.record.inputTokens = report.input_tokens;
    payer.record.queueMs = report.queuedMs === undefined ? null : toMicroseconds(report.queuedMs);
    const billableTokens = report.billable_tokens;
    const cost = scanCostMicroUsd({ ...families, billableTokens }, services.rates);
    if (!cost.ok) return cost;
    const scanId = `scan_${pooledRandomBytes(16).toString("hex")}`;
    payer.record.scanId = scanId;
    const findings = findingsJson(scanId, requested, scanned.value);
    payer.record.findings = keptText(findings);
    payer.record.findingCounts = report.findingCounts;
    const finished = { scanId, report, findingsJson: findings, redactedJson: report.redactedJson };
    await debit(
      payment.value,
      scanCost(cost.value, billableTokens, services.rates.version),
      finished,
    );
    return accept(finished);
  } finally {
    payment.value.close();
  }
}

/** One rate for prompt injection, one for everything else (spec: Billing of scans and requests 2). */
function billedFamilies({
  options,
  customPatterns,
}: RequestedScan): Omit<BillableScan, "billableTokens"> {
  const entities = customPatterns !== undefined || options.entities.length > 0;
  return { injection: options.injection, entities };
}

function scanCost(costMicroUsd: MicroUsd, scannedTokens: number, catalogVersion: string): Cost {
  const buckets = { ...noUsage, uncachedInput: scannedTokens };
  const noModel = { assumedPrice: null, serviceTier: null };
  return { costMicroUsd, status: "calculated", buckets, catalogVersion, ...noModel };
}

interface Scanned {
  readonly report: ScanReport;
  /** null if no patterns were supplied. */
  readonly patterns: PatternReport | null;
}

/** Invalid patterns refuse the scan before anything is scanned (spec: Scan-specific codes). */
async function runScan(
  { target, content, options, customPatterns }: RequestedScan,
  orgId: string,
  services: PaidScanServices,
): Promise<Outcome<Scanned>> {
  const job: ReportJob = { kind: "report", target, bytes: content, options, orgId };
  const patterns =
    customPatterns === undefined
      ? accept(null)
      : await services.searchPatterns(job, customPatterns);
  if (!patterns.ok) return patterns;
  const stoppedAt = patterns.value?.stoppedAt ?? null;
  const searched = stoppedAt === null ? job : { ...job, patternsStoppedAt: stoppedAt };
  const report = await services.report(searched);
  if (!report.ok) return report;
  return accept({ report: report.value, patterns: patterns.value });
}

/** The contract's scan response. The redacted text is already JSON and is inserted unchanged. */
export function scanResponseJson({ findingsJson: rest, redactedJson }: FinishedScan): string {
  return `${rest.slice(0, -1)},"redacted_text":${redactedJson ?? "null"}}`;
}

function findingsJson(
  scanId: string,
  { options }: RequestedScan,
  { report, patterns }: Scanned,
): string {
  const { input_tokens, billable_tokens, scannedJson, injection, entities, detectionsJson } =
    report;
  const { sensitivity } = options;
  const head = { scan_id: scanId, sensitivity, input_tokens, billable_tokens };
  const members = [
    JSON.stringify(head).slice(1, -1),
    `"scanned":${scannedJson}`,
    JSON.stringify({ injection, entities }).slice(1, -1),
    `"detections":${detectionsJson}`,
    `"custom_pattern_findings":${patterns?.findingsJson ?? "[]"}`,
    `"custom_pattern_scan":${JSON.stringify(patterns?.summary ?? null)}`,
  ];
  return `{${members.join(",")}}`;
}
