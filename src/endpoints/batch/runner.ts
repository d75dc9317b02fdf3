import { envelope, errorRules, type Refusal } from "../../contract/errors.ts";
import {
  batchAttemptsMax,
  batchExpiredPerTurn,
  batchFreeRetriesMs,
  batchPollMs,
  batchRetryMs,
  batchSweepMs,
  batchYieldGapMs,
} from "../../contract/limits.ts";
import type { BatchItemResult } from "../../contract/batch.ts";
import type { RequestHead, ServedExchange } from "../../exchange/exchange.ts";
import type { Clock } from "../../runtime/clock.ts";
import { ledgerUnavailable } from "../../store/ledger/hold-refusals.ts";
import type { ClaimedItem, ItemEnd, Jobs } from "../../store/embedded/jobs/jobs.ts";
import type { RateLimits } from "../../pipeline/limits/rate-limits.ts";
import {
  runScanInBackground,
  scanResponseJson,
  type FinishedScan,
  type PaidScanServices,
} from "../scan/paid-scan.ts";
import { RequestRecord, sinceArrivalMs, type Records } from "../../pipeline/record/record.ts";
import type { RequestedScan } from "../scan/scan-request.ts";
import type { RequestScans } from "./request-scans.ts";
import { readItem } from "./submission.ts";

export interface BatchRunnerServices extends PaidScanServices {
  readonly jobs: Jobs;
  readonly rateLimits: Pick<RateLimits, "scanUnits">;
  readonly records: Records;
  readonly clock: Clock;
  /** The longest serialized content of one scan, in bytes. */
  readonly contentBytesMax: number;
  readonly requestScans: Pick<RequestScans, "areWaiting" | "areRecent">;
  /** The number of items that run at once. */
  readonly itemsAtOnceMax: number;
  /** Called for a bug. The item is put back, or fails if its attempts are used up. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs the items of batch jobs, a few at a time and only while no request waits for a worker. An item is a
 * scan like any other. Its result, the end of its payload and its debit become durable in one write, so a
 * crash never loses it or bills it twice.
 */
export class BatchRunner {
  readonly #services: BatchRunnerServices;
  readonly #running = new Set<Promise<void>>();
  readonly #poll: NodeJS.Timeout;
  readonly #sweeps: NodeJS.Timeout;
  /** The removal of old jobs; null if none is under way. */
  #removal: Promise<void> | null = null;
  #resting = false;
  #stopped = false;

  constructor(services: BatchRunnerServices) {
    this.#services = services;
    this.#poll = setInterval(() => this.wake(), batchPollMs).unref();
    this.#sweeps = setInterval(() => this.sweep(), batchSweepMs).unref();
    this.sweep();
    this.wake();
  }

  /** Starts everything that may start now. Called with every new job, and every `batchPollMs`. */
  wake(): void {
    const { jobs } = this.#services;
    while (!this.#stopped && jobs.accepting && this.#hasRoom()) {
      const item = jobs.claim();
      if (item === undefined) return;
      this.#start(item);
    }
  }

  /** A batch gives way to requests that wait, and runs slowly while requests come. */
  #hasRoom(): boolean {
    const { requestScans, itemsAtOnceMax } = this.#services;
    if (requestScans.areWaiting || this.#resting) return false;
    return this.#running.size < (requestScans.areRecent ? 1 : itemsAtOnceMax);
  }

  /** Ends items whose job is too old, and removes results that were kept for long enough. */
  sweep(): void {
    const { jobs } = this.#services;
    if (this.#stopped || !jobs.accepting) return;
    this.#expire();
    jobs.removeLeftPieces();
    this.#removal ??= jobs
      .removeOld(() => !this.#stopped)
      .catch(this.#services.onFailure)
      .finally(() => (this.#removal = null));
    this.#takeUp();
  }

  /** Jobs of gateways that have ended. */
  #takeUp(): void {
    this.#services.jobs.takeUpOthers().then((any) => {
      if (any) this.wake();
    }, this.#services.onFailure);
  }

  /** Some in each turn, because all items of a workspace may be too old at once. */
  #expire(): void {
    const { jobs } = this.#services;
    if (this.#stopped || !jobs.accepting) return;
    const items = jobs.expired(batchExpiredPerTurn);
    for (const item of items) this.#fail(item, expired, null);
    if (items.length === batchExpiredPerTurn) setImmediate(() => this.#expire());
  }

  /** Starts nothing more, and lets running items end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearInterval(this.#sweeps);
    await Promise.all([...this.#running, this.#removal]);
  }

  #start(item: ClaimedItem): void {
    const running = this.#run(item)
      .catch((error: unknown) => this.#threw(item, error))
      .catch(this.#services.onFailure)
      .finally(() => {
        this.#running.delete(running);
        if (this.#services.requestScans.areRecent) this.#rest();
        else this.wake();
      });
    this.#running.add(running);
  }

  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      this.wake();
    }, batchYieldGapMs).unref();
  }

  async #run(item: ClaimedItem): Promise<void> {
    const { jobs, rateLimits, contentBytesMax } = this.#services;
    // spec: Scan limits, batch rate usage. A retry counts no further start.
    const asked = item.isRetry ? null : rateLimits.scanUnits(item.orgId, 1);
    const unit = asked instanceof Promise ? await asked : asked;
    if (unit !== null && !unit.ok) return this.#wait(item, unit.refusal);
    const payload = jobs.payload(item);
    if (payload === undefined) {
      // Another gateway ran the job before, and its last ends have come only now.
      if (jobs.hasStoredEnd(item)) return jobs.ended(item);
      throw new Error("a batch item that has not ended has no payload");
    }
    const run = new ItemRun(item);
    const read = await readItem(payload, contentBytesMax);
    if (!read.ok) return this.#fail(item, read.refusal, run);
    const { record, exchange } = run;
    const payer = { requestId: exchange.requestId, orgId: item.orgId, record };
    const { scan: requested } = read.value;
    const finished = await runScanInBackground(requested, payer, this.#services, (scan) => [
      jobs.ending(item, completed(item, stored(scan, requested))),
    ]);
    record.scanMs = sinceArrivalMs(exchange);
    if (!finished.ok) return this.#refused(item, finished.refusal, run);
    jobs.ended(item);
    record.injection = finished.value.report.injection;
    exchange.status = 200;
    this.#services.records(record, exchange);
  }

  /** The workspace's limit is reached, so the item has not started. */
  #wait(item: ClaimedItem, { retryAfterSeconds }: Refusal): void {
    this.#services.jobs.release(item, waitMs(retryAfterSeconds));
  }

  #refused(item: ClaimedItem, refusal: Refusal, run: ItemRun): void {
    const { jobs, clock } = this.#services;
    const again = retries(refusal, clock.wallMs() - item.createdAtMs, jobs.accepting);
    const attempts = item.attempts + (again === "attempt" ? 1 : 0);
    if (again === "never" || attempts >= batchAttemptsMax) return this.#fail(item, refusal, run);
    jobs.putBack(item, attempts, waitMs(refusal.retryAfterSeconds));
  }

  /** A bug uses up an attempt. Otherwise an item that always causes it would be tried for ever. */
  #threw(item: ClaimedItem, error: unknown): void {
    const { jobs, onFailure } = this.#services;
    onFailure(error);
    // The bug came after the item's end, so there is nothing to try again.
    if (jobs.hasEnded(item)) return;
    const attempts = item.attempts + 1;
    if (attempts >= batchAttemptsMax) this.#fail(item, bug, null);
    else jobs.putBack(item, attempts, batchRetryMs);
  }

  #fail(item: ClaimedItem, refusal: Refusal, run: ItemRun | null): void {
    this.#services.jobs.end(item, failed(item, refusal));
    const { record, exchange } = run ?? new ItemRun(item);
    record.errorCode = refusal.code;
    exchange.status = errorRules[refusal.code].status;
    this.#services.records(record, exchange);
  }
}

const submissionHead: RequestHead = {
  method: "POST",
  path: "/v1/security/scan/batch",
  query: "",
  headers: [],
};

/** One attempt at an item, as it is recorded. */
class ItemRun {
  readonly record = new RequestRecord("batch");
  /** As if the item were a request of its own, without a client. */
  readonly exchange: { -readonly [Name in keyof ServedExchange]: ServedExchange[Name] };

  constructor({ jobId, index, orgId, apiKeyId }: ClaimedItem) {
    this.exchange = {
      // The idempotency key of its debit: the same for every attempt and after every restart.
      requestId: `${jobId}/${index}`,
      head: submissionHead,
      arrivedAtMs: performance.now(),
      // The status that a client would have got for the same scan.
      status: 0,
      bytesSent: 0,
    };
    this.record.orgId = orgId;
    this.record.apiKeyId = apiKeyId;
  }
}

/**
 * Whether a refused item is tried again, and whether that uses up an attempt (spec: States and transitions).
 * A failure of the scanner uses one up from the first time, because the item may be its cause.
 */
function retries(
  refusal: Refusal,
  ageMs: number,
  accepting: boolean,
): "free" | "attempt" | "never" {
  // If the books can't be written, it is not the item's fault.
  if (!accepting || refusal === ledgerUnavailable.refusal) return "free";
  switch (refusal.code) {
    case "payg_reserved":
    case "payg_busy":
      return ageMs < batchFreeRetriesMs ? "free" : "attempt";
    case "detector_unavailable":
      return "attempt";
    default:
      return "never";
  }
}

function waitMs(retryAfterSeconds: number | undefined): number {
  return retryAfterSeconds === undefined ? batchRetryMs : retryAfterSeconds * 1_000;
}

const expired: Refusal = {
  code: "scan_job_expired",
  message: "The item had not ended when the lifetime of its job was over.",
};

const bug: Refusal = {
  code: "internal_error",
  message: "The scan failed unexpectedly.",
};

/** A result is kept for weeks, and redacted text is submitted text (spec: Privacy of scans). */
function stored(scan: FinishedScan, { storeInput }: RequestedScan): FinishedScan {
  return storeInput ? scan : { ...scan, redactedJson: null };
}

function completed({ id }: ClaimedItem, scan: FinishedScan): ItemEnd {
  const head = JSON.stringify({ id, status: "completed", scan_id: scan.scanId });
  return {
    status: "completed",
    result: `${head.slice(0, -1)},"result":${scanResponseJson(scan)}}`,
  };
}

function failed({ id }: ClaimedItem, refusal: Refusal): ItemEnd {
  const head: BatchItemResult = { id, status: "failed", scan_id: null };
  return {
    status: "failed",
    result: `${JSON.stringify(head).slice(0, -1)},"result":${envelope(refusal)}}`,
  };
}
