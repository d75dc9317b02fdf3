import { EventEmitter } from "node:events";
import { extname } from "node:path";
import { Piscina } from "piscina";
import { refuse } from "../../contract/errors.ts";
import {
  policyQueueMax,
  policyTaskMsMax,
  workerHeapMegabytesMax,
  workerYoungMegabytesMax,
} from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { BodyVerdict } from "./body-edits.ts";
import type { PolicyBodyJob, PolicyJob, PolicyStepsJob, PolicyTaskResult } from "./policy-task.ts";
import type { TextStepResult } from "./step-search.ts";

/**
 * The threads in which the rules of policies are applied, patterns that organizations wrote among
 * them. They are apart from the threads of the scans, for a call of RE2 can't be interrupted and must
 * not stand before the requests of those who have no rules.
 */
export class PolicyPool {
  readonly #piscina: Piscina<PolicyJob, PolicyTaskResult>;
  readonly #onFailure: (error: Error) => void;
  #waiting = 0;

  /** `onFailure` is told of each task or thread that failed; the pool itself recovers. */
  constructor(threads: number, onFailure: (error: Error) => void = () => undefined) {
    this.#onFailure = onFailure;
    this.#piscina = new Piscina({
      filename: policyWorkerUrl.href,
      name: "applyRules",
      // Started by the first request under rules; many deployments have none.
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
      maxQueue: policyQueueMax,
      concurrentTasksPerWorker: 1,
      atomics: "disabled",
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
   * Applies rules to a body. Errors: `security_blocked` for one that can't be read;
   * `detector_unavailable` where the queue is full, a rule can't be
   * applied to its end, or the thread died or ran out of time. Never rejects.
   */
  async body(job: PolicyBodyJob): Promise<Outcome<BodyVerdict>> {
    const result = await this.#run({ ...job, bytes: ownMemory(job.bytes) });
    if (!result.ok) return result;
    switch (result.value.kind) {
      case "verdict":
        return accept(result.value);
      case "too_much":
        return accept({ kind: "verdict", action: "block", found: {}, edits: [] });
      case "unreadable":
        return unreadable;
      default:
        return notApplied;
    }
  }

  /** Searches texts of a stream. Errors: `security_blocked` for too much text, and as `body`. */
  async steps(job: PolicyStepsJob): Promise<Outcome<readonly TextStepResult[]>> {
    const result = await this.#run(job);
    if (!result.ok) return result;
    if (result.value.kind === "steps") return accept(result.value.results);
    return result.value.kind === "too_much" ? tooMuch : notApplied;
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }

  async #run(job: PolicyJob): Promise<Outcome<PolicyTaskResult>> {
    if (this.#waiting >= policyQueueMax) {
      return unavailable("Too many requests wait for their security policy.");
    }
    this.#waiting += 1;
    const deadline = new EventEmitter();
    const timer = setTimeout(() => deadline.emit("abort"), policyTaskMsMax);
    try {
      const result = await this.#piscina.run(job, { signal: deadline });
      if (result.kind === "failed") this.#onFailure(new Error(result.frames));
      return accept(result);
    } catch (error) {
      this.#onFailure(error instanceof Error ? error : new Error(String(error)));
      return unavailable("The security policy could not be applied.");
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
    }
  }
}

const notApplied = unavailable(
  "The rules of the security policy can't be applied to this content.",
);

const tooMuch = refuse(
  "security_blocked",
  "The answer was blocked by the security policy: it is longer than its rules can search.",
  { details: { type: "permission_error" } },
);

const unreadable = refuse(
  "security_blocked",
  "The security policy can't be applied to an answer that is not valid JSON.",
  { details: { type: "permission_error" } },
);

const policyWorkerUrl = new URL(`./policy-worker${extname(import.meta.url)}`, import.meta.url);

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
