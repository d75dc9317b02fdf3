import { boundedWidth } from "../../detectors/pattern-steps.ts";
import { byBound } from "../../workers/redact/text-search.ts";
import type { PolicyRules } from "../../workers/redact/rules.ts";
import type { StreamRules } from "../../exchange/exchange.ts";
import { answerBlocked } from "./blocked.ts";
import type { CallerPolicy } from "./caller-policy.ts";
import { isRecordOnly } from "./input-rules.ts";
import type { PolicyRecord } from "../record/policy-record.ts";
import { StreamGate, type SearchSteps } from "./stream-gate.ts";
import type { Buffering } from "./stream-text.ts";

/** The policy's rules for a streamed answer; null if the answer passes as it comes. */
export function streamRules(
  { output: rules, dryRun }: CallerPolicy,
  search: SearchSteps,
  record: PolicyRecord,
): StreamRules | null {
  if (rules === null) return null;
  const watches = isRecordOnly(rules, dryRun);
  const buffering = bufferingOf(rules);
  return {
    watches,
    unreadable: watches ? null : unreadable,
    open: (wire, sink) => new StreamGate({ wire, rules, buffering, watches, search, record }, sink),
  };
}

/** Keyed by the rules, because a changed policy has new rules. A width takes 50 µs to compute. */
const bufferings = new WeakMap<PolicyRules, Buffering>();

function bufferingOf(rules: PolicyRules): Buffering {
  const known = bufferings.get(rules);
  if (known !== undefined) return known;
  const [bounded, unbounded] = byBound(rules.patterns);
  const whole = [...unbounded, ...rules.entities];
  const buffering = {
    widths: bounded.map(({ regex }) => boundedWidth(regex)),
    needsWhole: whole.length > 0,
    buffersWhole: whole.some(({ action }) => action !== "flag"),
  };
  bufferings.set(rules, buffering);
  return buffering;
}

const { refusal: unreadable } = answerBlocked("a stream of this kind can't be searched");
