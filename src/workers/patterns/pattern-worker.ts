import { collectNowAndThen } from "../../runtime/collect-garbage.ts";
import { customPatternMsMax, reportListBytesMax } from "../../contract/limits.ts";
import type { CustomPatternFinding } from "../../contract/scan-response.ts";
import { CustomPatternCache } from "../../detectors/custom-pattern-cache.ts";
import {
  CustomPatternSearch,
  type CustomPatternMatch,
} from "../../detectors/custom-pattern-scan.ts";
import { validateCustomPatterns, type ValidCustomPattern } from "../../detectors/custom-pattern.ts";
import { releaseSharedMemory } from "../pool/shared-memory.ts";
import { BoundedList } from "../report/bounded-list.ts";
import { textOf } from "../report/leaf-text.ts";
import { visitTarget } from "../report/target.ts";
import type { ReportJob } from "../report/report-job.ts";
import type { Leaf, LeafVisitor } from "../segment/leaf.ts";
import type { PatternTask, PatternTaskResult } from "./pattern-task.ts";

const cache = new CustomPatternCache();
collectNowAndThen();

/** The code of the custom patterns' thread. If one pattern is invalid, nothing is searched. */
export function searchPatterns({ job, patterns }: PatternTask): PatternTaskResult {
  const validated = validateCustomPatterns(patterns, cache);
  if (!validated.ok) {
    const { errors, errorsTruncated } = validated;
    return { kind: "invalid", errors, errorsTruncated };
  }
  const search = new PatternSearch(job, validated.patterns);
  visitTarget(job, search);
  releaseSharedMemory(job.bytes);
  return search.result();
}

/** Searches leaf after leaf, until the cap of findings is reached or the time is over. */
class PatternSearch implements LeafVisitor {
  readonly #job: ReportJob;
  readonly #scan: CustomPatternSearch;
  readonly #findings = new BoundedList(reportListBytesMax);
  #outOfTime = false;
  /** The end of the last leaf that was searched, if the cap of findings was reached. */
  #stoppedAt: number | null = null;

  constructor(job: ReportJob, patterns: readonly ValidCustomPattern[]) {
    this.#job = job;
    this.#scan = new CustomPatternSearch(patterns, cache, customPatternMsMax);
  }

  leaf(leaf: Leaf): void {
    // Keys are not searched: a location names a value, so a finding in a key would have no
    // location.
    if (this.#outOfTime || this.#stoppedAt !== null || leaf.form === "key") return;
    const matches = this.#scan.scan(textOf(this.#job.bytes, leaf));
    if (matches === null) {
      this.#outOfTime = true;
      return;
    }
    if (matches.length > 0) this.#list(leaf, matches);
    if (this.#isCapped) this.#stoppedAt = leaf.end;
  }

  #list({ place, form }: Leaf, matches: readonly CustomPatternMatch[]): void {
    const location = place.location(this.#job.bytes, form === "serialized");
    for (const { pattern, start, end } of matches) {
      const { name: pattern_name, action, redactionToken } = pattern;
      const found: CustomPatternFinding = {
        pattern_name,
        action,
        redactionToken,
        start,
        end,
        location,
      };
      this.#findings.add(found);
    }
  }

  unscanned(): void {
    // Custom patterns search only the text that the detectors scan.
  }

  result(): PatternTaskResult {
    if (this.#outOfTime) return { kind: "out_of_time" };
    const { json: findingsJson } = this.#findings;
    const summary = { ...this.#scan.summary, findings_capped: this.#isCapped };
    return { kind: "found", findingsJson, summary, stoppedAt: this.#stoppedAt };
  }

  get #isCapped(): boolean {
    return this.#findings.isFull || this.#scan.summary.findings_capped;
  }
}
