import { batchItemsAtOnceMin } from "../contract/limits.ts";
import type { BatchServices } from "../endpoints/batch/endpoints.ts";
import type { RequestScans } from "../endpoints/batch/request-scans.ts";
import { BatchRunner } from "../endpoints/batch/runner.ts";
import { nothingToSearch } from "../endpoints/batch/submission.ts";
import type { ScanServices } from "../endpoints/scan/scan.ts";
import { systemClock } from "../runtime/clock.ts";
import { Jobs, type JobClaims } from "../store/embedded/jobs/jobs.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { Store } from "../store/embedded/store.ts";

export interface OpenBatchOptions {
  readonly store: Store;
  readonly journal: Journal;
  readonly scan: ScanServices;
  readonly requestScans: RequestScans;
  readonly scanWorkers: number;
  /** As `JobsOptions.claims`. */
  readonly claims: JobClaims | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Batch scans: takes up the stored jobs that have not ended, and runs them. */
export function openBatch({
  store,
  journal,
  scan,
  requestScans,
  scanWorkers,
  claims,
  onFailure,
}: OpenBatchOptions): {
  readonly jobs: Jobs;
  readonly services: BatchServices;
  readonly runner: BatchRunner;
} {
  const jobs = new Jobs({ tables: store.journal, journal, clock: systemClock, claims });
  const runner = new BatchRunner({
    ...scan,
    jobs,
    clock: systemClock,
    requestScans,
    // If there are several workers, one is left to requests.
    itemsAtOnceMax: Math.max(batchItemsAtOnceMin, scanWorkers - 1),
    onFailure,
  });
  const services: BatchServices = {
    ...scan,
    jobs,
    clock: systemClock,
    checkPatterns: (patterns) => scan.searchPatterns(nothingToSearch, patterns),
    submitted: () => runner.wake(),
  };
  return { jobs, services, runner };
}
