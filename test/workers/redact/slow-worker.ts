import type { PolicyJob, PolicyTaskResult } from "../../../src/workers/redact/redaction-task.ts";

/** Takes half a second for any job, and gives up on text. */
export function applyRules(job: PolicyJob): PolicyTaskResult {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  if ((job.kind === "request" || job.kind === "answer") && job.format === "text")
    return { kind: "gave_up" };
  return { kind: "verdict", action: null, found: {}, edits: [] };
}
