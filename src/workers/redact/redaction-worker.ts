import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { CustomPatternCache } from "../../detectors/custom-pattern-cache.ts";
import { PatternsGaveUp } from "../../detectors/pattern-steps.ts";
import { entityScans } from "../report/entity-scan.ts";
import { framesOf } from "../pool/error-frames.ts";
import { releaseSharedMemory } from "../pool/shared-memory.ts";
import { searchAnswer } from "./answer-search.ts";
import { mask } from "./mask.ts";
import type { PolicyJob, PolicyTaskResult } from "./redaction-task.ts";
import { searchRequest } from "./request-search.ts";
import { searchStep } from "./step-search.ts";
import { TextSearch } from "./text-search.ts";

const tools = { cache: new CustomPatternCache(), entities: entityScans() };
collectNowAndThen();

/** The code of the threads for policies. */
export function applyRules(job: PolicyJob): PolicyTaskResult {
  try {
    return searched(job);
  } catch (error) {
    if (!(error instanceof PatternsGaveUp)) return { kind: "failed", frames: framesOf(error) };
    // The next try would have as much to search, so a retry would not help.
    return error.why === "too_much" ? { kind: "too_much" } : { kind: "gave_up" };
  }
}

function searched(job: PolicyJob): PolicyTaskResult {
  const search = new TextSearch(job.rules, tools);
  if (job.kind === "steps") {
    return { kind: "steps", results: job.steps.map((step) => searchStep(step, search)) };
  }
  if (job.kind === "mask") return mask(job.text, job.isCut, search);
  const result =
    job.kind === "request"
      ? searchRequest(job.bytes, job.format, search)
      : searchAnswer(job.bytes, job.format === "text", search);
  releaseSharedMemory(job.bytes);
  return result ?? { kind: "unreadable" };
}
