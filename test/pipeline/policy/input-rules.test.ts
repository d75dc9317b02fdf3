import { describe, expect, test } from "vitest";
import { refuse } from "../../../src/contract/errors.ts";
import type { CallerPolicy } from "../../../src/pipeline/policy/caller-policy.ts";
import { applyInputRules } from "../../../src/pipeline/policy/input-rules.ts";
import { policyRecord } from "../../../src/pipeline/record/policy-record.ts";
import { rulesOf, type RuleAction } from "../../../src/workers/redact/rules.ts";
import { codeOf } from "../../store/temporary-store.ts";

function policyWith(entity: RuleAction, pattern: RuleAction, dryRun: boolean): CallerPolicy {
  const entities = [{ category: "pii", action: entity, direction: "input" } as const];
  const customPatterns = [
    { name: "one", regex: "PRJ-[0-9]+", redactionToken: "x", action: pattern, direction: "both" },
  ] as const;
  return {
    id: "policy_1",
    version: 1,
    injection: { action: "block", sensitivity: "balanced" },
    dryRun,
    input: rulesOf({ entities, customPatterns: [...customPatterns] }, "input"),
    output: null,
  };
}

const unavailable = () => Promise.resolve(refuse("detector_unavailable", "The threads are busy."));

describe("where nothing can apply the rules", () => {
  test.each<[RuleAction, RuleAction, boolean, string]>([
    ["block", "flag", false, "detector_unavailable"],
    ["redact", "flag", false, "detector_unavailable"],
    ["flag", "block", false, "detector_unavailable"],
    ["flag", "redact", false, "detector_unavailable"],
    ["flag", "flag", false, "accepted"],
    ["block", "redact", true, "accepted"],
  ])("%s for entities, %s for patterns, dry run %s: %s", async (entity, pattern, dryRun, code) => {
    const policy = policyWith(entity, pattern, dryRun);
    const bytes = Buffer.from("about PRJ-17");
    const job = { kind: "text", sensitivity: "balanced", bytes } as const;
    const record = policyRecord(policy);
    expect(codeOf(await applyInputRules(job, policy, unavailable, record))).toBe(code);
    expect([record.action, record.input]).toEqual([null, null]);
  });
});
