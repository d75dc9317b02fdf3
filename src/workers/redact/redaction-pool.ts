import { extname } from "node:path";
import { refuse } from "../../contract/errors.ts";
import { policyQueueMax, policyTaskMsMax, policyWaitMsMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { ownMemory } from "../pool/own-memory.ts";
import { unavailable } from "../pool/unavailable.ts";
import { WorkerThreads } from "../pool/worker-threads.ts";
import type { BodyVerdict } from "./body-edits.ts";
import { maskRules, type MaskedText } from "./mask.ts";
import type {
  MaskJob,
  PolicyBodyJob,
  PolicyJob,
  PolicyStepsJob,
  PolicyTaskResult,
} from "./redaction-task.ts";
import type { TextStepResult } from "./step-search.ts";
import { Turns } from "./turns.ts";

export interface RedactionPoolBounds {
  /** How long a task may run … */
  readonly taskMsMax: number;
  /** … and wait for a thread before. */
  readonly waitMsMax: number;
}

export interface RedactionPoolOptions {
  readonly threads: number;
  readonly bounds?: Partial<RedactionPoolBounds>;
  /** The module that runs in the threads, instead of redaction-worker. */
  readonly workerUrl?: URL;
  /** Called for each task or thread that failed; the pool itself recovers. */
  readonly onFailure?: (error: Error) => void;
}

const defaultBounds: RedactionPoolBounds = {
  taskMsMax: policyTaskMsMax,
  waitMsMax: policyWaitMsMax,
};

/**
 * The threads that apply the rules of policies, which include patterns of organizations. They are
 * separate from the scan threads, because a call of RE2 can't be interrupted and must not delay
 * requests of organizations without rules.
 */
export class RedactionPool {
  readonly #threads: WorkerThreads<PolicyJob, PolicyTaskResult>;
  readonly #onFailure: (error: Error) => void;
  readonly #bounds: RedactionPoolBounds;
  readonly #turns: Turns;
  #waiting = 0;

  constructor({
    threads,
    bounds,
    workerUrl = redactionWorkerUrl,
    onFailure,
  }: RedactionPoolOptions) {
    this.#onFailure = onFailure ?? (() => undefined);
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#turns = new Turns(threads);
    this.#threads = new WorkerThreads({
      workerUrl,
      taskName: "applyRules",
      threads,
      start: "with the first task",
      queueMax: policyQueueMax,
      onFailure: this.#onFailure,
    });
  }

  /**
   * Applies rules to a body. Errors: `security_blocked` for a body that can't be read;
   * `detector_unavailable` if no thread becomes free, a rule can't be applied to its end (then clients
   * are told not to retry), or the thread died or ran out of time. Never rejects.
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
        return withoutVerdict(result.value.kind);
    }
  }

  /** Searches texts of a stream. Errors: `security_blocked` for too much text, and as `body`. */
  async steps(job: PolicyStepsJob): Promise<Outcome<readonly TextStepResult[]>> {
    const result = await this.#run(job);
    if (!result.ok) return result;
    if (result.value.kind === "steps") return accept(result.value.results);
    return result.value.kind === "too_much" ? tooMuch : withoutVerdict(result.value.kind);
  }

  /**
   * Masks readable content. Errors: `detector_unavailable`, also for a text with more findings than can be counted:
   * without a verdict nothing is shown.
   */
  async mask(job: Omit<MaskJob, "kind" | "rules">): Promise<Outcome<MaskedText>> {
    const result = await this.#run({ kind: "mask", ...job, rules: maskRules });
    if (!result.ok) return result;
    return result.value.kind === "masked" ? accept(result.value) : withoutVerdict("gave_up");
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #run(job: PolicyJob): Promise<Outcome<PolicyTaskResult>> {
    if (this.#waiting >= policyQueueMax) {
      return unavailable("Too many requests wait for their security policy.");
    }
    this.#waiting += 1;
    const isTurn = await this.#turns.wait(this.#bounds.waitMsMax);
    this.#waiting -= 1;
    if (!isTurn) return unavailable("The threads for security policies are busy.");
    try {
      return await this.#task(job);
    } finally {
      this.#turns.done();
    }
  }

  /** A task's time counts from its start, not from its arrival, so earlier tasks do not use it up. */
  async #task(job: PolicyJob): Promise<Outcome<PolicyTaskResult>> {
    try {
      const result = await this.#threads.runWithin(this.#bounds.taskMsMax, job);
      if (result.kind === "failed") this.#onFailure(new Error(result.frames));
      return accept(result);
    } catch (error) {
      this.#onFailure(error instanceof Error ? error : new Error(String(error)));
      return unavailable("The security policy could not be applied.");
    }
  }
}

function withoutVerdict(kind: PolicyTaskResult["kind"]): Outcome<never> {
  return kind === "gave_up" ? tooSlow : unavailable("The security policy could not be applied.");
}

/**
 * Another try would take just as long. The SDKs of both wires obey this header and do not retry.
 */
const tooSlow = refuse(
  "detector_unavailable",
  "The rules of the security policy can't be applied to this content in the time that they have.",
  { details: { retryable: false }, headers: ["X-Should-Retry", "false"] },
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

const redactionWorkerUrl = new URL(
  `./redaction-worker${extname(import.meta.url)}`,
  import.meta.url,
);
