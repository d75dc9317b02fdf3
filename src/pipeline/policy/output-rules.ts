import { accept, type Outcome } from "../../contract/outcome.ts";
import { splice } from "../../json/splice.ts";
import type { BodyVerdict } from "../../workers/redact/body-edits.ts";
import type { PolicyRules } from "../../workers/redact/rules.ts";
import { isEncoded } from "../../exchange/answer-encoding.ts";
import { joined } from "../body/body-turns.ts";
import { header, type FlatHeaders } from "../../exchange/exchange.ts";
import { answerBlocked } from "./blocked.ts";
import type { CallerPolicy } from "./caller-policy.ts";
import { isRecordOnly, type ApplyRules } from "./input-rules.ts";
import { noteAction, type PolicyRecord } from "../record/policy-record.ts";

/** A whole answer, as the provider gave it. */
export interface WholeAnswer {
  readonly headers: FlatHeaders;
  readonly body: Uint8Array;
}

/**
 * Applies the policy's rules to a whole answer. Returns the body, redacted where a rule says so, and notes
 * what was found. Errors: `security_blocked`, also for an answer that can't be read; `detector_unavailable`.
 */
export async function applyOutputRules(
  answer: WholeAnswer,
  policy: CallerPolicy,
  apply: ApplyRules,
  record: PolicyRecord,
): Promise<Outcome<Uint8Array>> {
  const { output: rules, dryRun } = policy;
  const { body } = answer;
  if (rules === null || body.length === 0) return accept(body);
  const applied = await search(answer, rules, apply);
  if (!applied.ok) return isRecordOnly(rules, dryRun) ? accept(body) : applied;
  if (applied.value === null) return accept(body);
  const { action, found, edits } = applied.value;
  record.output = found;
  if (action === null) return accept(body);
  noteAction(record, "output", action);
  if (dryRun || action === "flag") return accept(body);
  if (action === "block") return answerBlocked("it contains something that the policy forbids");
  return accept(await joined(splice(body, edits)));
}

/** null for a medium, which has no text. */
async function search(
  { headers, body }: WholeAnswer,
  rules: PolicyRules,
  apply: ApplyRules,
): Promise<Outcome<BodyVerdict | null>> {
  if (isEncoded(headers)) return unreadable;
  const type = header(headers, "content-type") ?? "";
  if (/^\s*(image|audio|video)\//i.test(type)) return accept(null);
  const format = /\bjson\b/i.test(type) ? "json" : /^\s*text\//i.test(type) ? "text" : null;
  if (format === null) return unreadable;
  return apply({ kind: "answer", format, bytes: body, rules });
}

const unreadable = answerBlocked("its format can't be searched");
