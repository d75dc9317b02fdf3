import { randomBytes } from "node:crypto";
import { rememberedBodiesMax, rememberedBodyBytesMax } from "../../contract/limits.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { judge } from "../../detectors/injection/verdict.ts";
import type { ScanPool } from "./pool.ts";
import type { ScanJob, ScanVerdict } from "./scan-job.ts";
import { TextMemory } from "../detect/text-memory.ts";

/**
 * Scans for verdicts. If an organization sends the same bytes again (a retry, a probe, a load test),
 * the request has the same score and needs no thread
 * (docs/decisions/0025-what-is-sent-again-needs-no-thread.md). The verdict follows from the score and
 * the requested sensitivity, so no policy is remembered.
 */
export class RememberedScans {
  readonly #pool: Pick<ScanPool, "submit">;
  readonly #memory = new TextMemory(randomBytes(32), rememberedBodiesMax);

  constructor(pool: Pick<ScanPool, "submit">) {
    this.#pool = pool;
  }

  /** Errors: `detector_unavailable`, as the pool. A score that could not be computed is tried again. */
  scan(job: ScanJob): Outcome<ScanVerdict> | Promise<Outcome<ScanVerdict>> {
    const { bytes, orgId, sensitivity } = job;
    if (orgId === undefined || bytes.length > rememberedBodyBytesMax) {
      return new Promise((resolve) => this.#pool.submit(job, resolve));
    }
    const key = this.#memory.keyOf(JSON.stringify([orgId, readAs(job)]), bytes);
    const known = this.#memory.numberOf(key);
    const injection = known === undefined ? null : judge(known, sensitivity);
    // A refusal names the place of the text, and places are not remembered.
    if (injection !== null && injection.verdict !== "block") {
      return accept({ injection, worst: null, queuedMs: 0 });
    }
    return new Promise((resolve) => {
      this.#pool.submit(job, (result) => {
        if (result.ok && result.value.injection.score !== null) {
          this.#memory.keep(key, result.value.injection.score);
        }
        resolve(result);
      });
    });
  }
}

/**
 * How the bytes are read is part of the key, because the same bytes in another format hold other
 * texts.
 */
function readAs(job: ScanJob): string {
  if (job.kind === "text") return "text";
  return `provider_request ${job.format}${job.replaces === true ? " replaces" : ""}`;
}
