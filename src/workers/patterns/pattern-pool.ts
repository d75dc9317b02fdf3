import { EventEmitter } from "node:events";
import { extname } from "node:path";
import { Piscina } from "piscina";
import { refuse } from "../../contract/errors.ts";
import {
  customPatternQueueMax,
  customPatternTaskMsMax,
  workerHeapMegabytesMax,
  workerYoungMegabytesMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { PatternReport, PatternTask, PatternTaskResult } from "./pattern-task.ts";

/**
 * The thread that other people's patterns are compiled and searched in. It is theirs alone: 50 valid
 * patterns can take seconds, and a call of RE2 can't be interrupted, so they must never stand before
 * a scan that somebody's model request waits for.
 */
export class PatternPool {
  readonly #piscina: Piscina<PatternTask, PatternTaskResult>;
  readonly #onFailure: (error: Error) => void;
  #waiting = 0;

  /** `onFailure` is told of each task or thread that failed; the pool itself recovers. */
  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
    this.#piscina = new Piscina({
      filename: patternWorkerUrl.href,
      name: "searchPatterns",
      // Started by the first scan with patterns; most deployments have none.
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      maxQueue: customPatternQueueMax,
      concurrentTasksPerWorker: 1,
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: workerHeapMegabytesMax,
        maxYoungGenerationSizeMb: workerYoungMegabytesMax,
      },
      recordTiming: false,
      trackUnmanagedFds: false,
    });
    // Emitted for a worker that fails between tasks, and fatal where nobody listens.
    this.#piscina.on("error", (error: Error) => this.#onFailure(error));
  }

  /**
   * Searches one scan's target for its custom patterns. Errors: `invalid_request` naming the first
   * pattern at fault, with the list of faults (spec: Scan-specific codes); `detector_unavailable`
   * where the queue is full, the time budget ran out or the thread died. Never rejects.
   */
  async search(job: ReportJob, patterns: unknown): Promise<Outcome<PatternReport>> {
    if (this.#waiting >= customPatternQueueMax)
      return unavailable("Too many scans with patterns wait.");
    this.#waiting += 1;
    const deadline = new EventEmitter();
    const timer = setTimeout(() => deadline.emit("abort"), customPatternTaskMsMax);
    try {
      const bytes = ownMemory(job.bytes);
      const result = await this.#piscina.run(
        { job: { ...job, bytes }, patterns },
        { signal: deadline },
      );
      return outcomeOf(result);
    } catch (error) {
      this.#onFailure(error instanceof Error ? error : new Error(String(error)));
      return unavailable("The search for custom patterns did not finish.");
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
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
      // It names its pattern.
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

/** A clone takes a view's whole buffer along; shared memory is read in place. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer || bytes.buffer.byteLength === bytes.length) {
    return bytes;
  }
  return Uint8Array.from(bytes);
}

function unavailable(message: string): Outcome<never> {
  return refuse("detector_unavailable", message, { retryAfterSeconds: 1 });
}
