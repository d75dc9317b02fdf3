import { extname } from "node:path";
import { refuse } from "../../contract/errors.ts";
import { customPatternQueueMax, customPatternTaskMsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { ownMemory } from "../pool/own-memory.ts";
import type { ReportJob } from "../report/report-job.ts";
import { unavailable } from "../pool/unavailable.ts";
import { WorkerThreads } from "../pool/worker-threads.ts";
import type { PatternReport, PatternTask, PatternTaskResult } from "./pattern-task.ts";

/**
 * The thread that compiles and searches callers' patterns. It does nothing else: 50 valid patterns can
 * take seconds, and a call of RE2 can't be interrupted, so patterns must never delay a scan that a
 * model request waits for.
 */
export class PatternPool {
  readonly #threads: WorkerThreads<PatternTask, PatternTaskResult>;
  readonly #onFailure: (error: Error) => void;
  #waiting = 0;

  /** `onFailure` is called for each task or thread that failed; the pool itself recovers. */
  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
    this.#threads = new WorkerThreads({
      workerUrl: patternWorkerUrl,
      taskName: "searchPatterns",
      threads: 1,
      start: "with the first task",
      queueMax: customPatternQueueMax,
      onFailure,
    });
  }

  /**
   * Searches one scan's target for its custom patterns. Errors: `invalid_request` naming the first
   * pattern at fault, with the list of faults (spec: Scan-specific codes); `detector_unavailable` if
   * the queue is full, the time budget ran out or the thread died. Never rejects.
   */
  async search(job: ReportJob, patterns: unknown): Promise<Outcome<PatternReport>> {
    if (this.#waiting >= customPatternQueueMax)
      return unavailable("Too many scans with patterns wait.");
    this.#waiting += 1;
    try {
      const bytes = ownMemory(job.bytes);
      const task = { job: { ...job, bytes }, patterns };
      const result = await this.#threads.runWithin(customPatternTaskMsMax, task);
      return outcomeOf(result);
    } catch (error) {
      this.#onFailure(error instanceof Error ? error : new Error(String(error)));
      return unavailable("The search for custom patterns did not finish.");
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

const patternWorkerUrl = new URL(`./pattern-worker${extname(import.meta.url)}`, import.meta.url);

function outcomeOf(result: PatternTaskResult): Outcome<PatternReport> {
  switch (result.kind) {
    case "found":
      return accept(result);
    case "out_of_time":
      return unavailable("The custom patterns take too long on this content.");
    case "invalid": {
      // The message names the pattern.
      const message = result.errors[0]?.message ?? "invalid custom patterns";
      return refuse("invalid_request", message, {
        details: {
          param: "custom_patterns",
          custom_pattern_errors: result.errors,
          custom_pattern_errors_truncated: result.errorsTruncated,
        },
      });
    }
  }
}
