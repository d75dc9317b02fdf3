import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Edit } from "../../json/splice.ts";
import type { BodyVerdict } from "../../workers/redact/body-edits.ts";
import { addCounts } from "../../workers/redact/finding.ts";
import type { PolicyBodyJob } from "../../workers/redact/redaction-task.ts";
import type { PolicyRules } from "../../workers/redact/rules.ts";
import type { ScanJob } from "../../workers/pool/scan-job.ts";
import type { CallerPolicy } from "./caller-policy.ts";
import { blocked } from "./blocked.ts";
import { noteAction, type PolicyRecord } from "../record/policy-record.ts";

/** Applies rules to a body, in a thread; refuses `detector_unavailable`. */
export type ApplyRules = (job: PolicyBodyJob) => Promise<Outcome<BodyVerdict>>;

/**
 * Applies the policy's rules to a request. Returns the edits that redact its bytes, and notes what was found.
 * Errors: `security_blocked`; `detector_unavailable` if a rule that would change or block something can't be
 * applied.
 */
export async function applyInputRules(
  { bytes, ...job }: ScanJob,
  policy: CallerPolicy,
  apply: ApplyRules,
  record: PolicyRecord,
): Promise<Outcome<readonly Edit[]>> {
  const { input: rules, dryRun } = policy;
  if (rules === null) return accept([]);
  const format = job.kind === "text" ? "text" : job.format;
  const applied = await apply({ kind: "request", format, bytes, rules });
  if (!applied.ok) return isRecordOnly(rules, dryRun) ? accept([]) : applied;
  const { action, found, edits } = applied.value;
  record.input = addCounts(record.input, found);
  if (action === null) return accept([]);
  noteAction(record, "input", action);
  if (dryRun) return accept([]);
  return action === "block"
    ? blocked("it contains something that the policy forbids")
    : accept(edits);
}

/** True if the rules can neither change nor block anything. */
export function isRecordOnly({ entities, patterns }: PolicyRules, dryRun: boolean): boolean {
  return dryRun || [...entities, ...patterns].every(({ action }) => action === "flag");
}
