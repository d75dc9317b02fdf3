import type { LeafVisitor } from "../segment/leaf.ts";
import { visitLeaves } from "../segment/segment.ts";
import { visitInput } from "./input-parts.ts";
import type { ReportJob } from "./report-job.ts";

/** Visits the leaves of a scan's target in their order. */
export function visitTarget(
  job: Pick<ReportJob, "bytes" | "target" | "options">,
  visitor: LeafVisitor,
): void {
  if (job.target === "input") visitInput(job.bytes, job.options.segment, visitor);
  else visitLeaves(job.bytes, job.target, visitor);
}
