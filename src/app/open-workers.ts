import type { Logger } from "pino";
import { maskThreads } from "../contract/limits.ts";
import type { RequestServices } from "../pipeline/context.ts";
import type { ScanServices } from "../endpoints/scan/scan.ts";
import { PatternPool } from "../workers/patterns/pattern-pool.ts";
import { RedactionPool } from "../workers/redact/redaction-pool.ts";
import { ScanPool } from "../workers/pool/pool.ts";
import { RememberedScans } from "../workers/pool/remembered-scans.ts";

/** The services that search requests' texts, each in threads of its own. */
export interface Workers
  extends
    Pick<RequestServices, "scan" | "applyRules" | "searchSteps">,
    Pick<ScanServices, "report" | "searchPatterns"> {
  /** The same for batches, whose scans belong to no request. */
  readonly pool: ScanPool;
  /** Masks readable content, in a thread that no request waits for. */
  readonly mask: RedactionPool["mask"];
  close(): Promise<void>;
}

/** `scanBegan` is called for every request's scan. Resolves once the scan workers are up. */
export async function openWorkers(
  threads: number,
  logger: Logger,
  scanBegan: () => void,
): Promise<Workers> {
  const pool = new ScanPool({
    threads,
    onFailure: (error) => logger.error({ err: error }, "a scan worker failed"),
  });
  const scans = new RememberedScans(pool);
  const patternPool = new PatternPool((error) =>
    logger.error({ err: error }, "custom patterns could not be searched"),
  );
  const redactionPool = new RedactionPool({
    threads,
    onFailure: (error) => logger.error({ err: error }, "a policy could not be applied"),
  });
  const maskPool = new RedactionPool({
    threads: maskThreads,
    onFailure: (error) => logger.error({ err: error }, "readable content could not be masked"),
  });
  await pool.ready();
  return {
    pool,
    scan: (job) => {
      scanBegan();
      return scans.scan(job);
    },
    report: (job) => {
      scanBegan();
      return pool.report(job);
    },
    searchPatterns: (job, patterns) => patternPool.search(job, patterns),
    applyRules: (job) => redactionPool.body(job),
    searchSteps: (job) => redactionPool.steps(job),
    mask: (job) => maskPool.mask(job),
    close: async () => {
      await Promise.all([
        pool.close(),
        patternPool.close(),
        redactionPool.close(),
        maskPool.close(),
      ]);
    },
  };
}
