import { grantTriesMax } from "../../contract/limits.ts";
import type { LimitGrants, RateTable } from "./limit-grants.ts";
import type { RateCheck, RateDecision, RateWindows } from "./rate-windows.ts";
import type { UsageAmounts, UsageCap, UsageDecision, UsageWindows } from "./usage-windows.ts";

/**
 * As `RateWindows.consume`. If only this gateway's share of a limit refuses, it asks for more and tries again: then it is a
 * promise. `grants` null: no other gateway shares the limits, and nothing is ever waited for.
 */
export function consumeRates(
  windows: RateWindows,
  checks: readonly RateCheck[],
  grants: LimitGrants | null,
  table: RateTable,
): RateDecision | Promise<RateDecision> {
  const decision = windows.consume(checks);
  return grants === null || shortOf(decision) === 0
    ? decision
    : consumeGranted(windows, checks, grants, table, decision);
}

/** As `UsageWindows.reserve`, in the way of `consumeRates`. */
export function reserveUsage(
  windows: UsageWindows,
  caps: readonly UsageCap[],
  worst: UsageAmounts,
  grants: LimitGrants | null,
): UsageDecision | Promise<UsageDecision> {
  const decision = windows.reserve(caps, worst);
  return grants === null || shortCap(decision, caps) === null
    ? decision
    : reserveGranted(windows, caps, worst, grants, decision);
}

async function consumeGranted(
  windows: RateWindows,
  checks: readonly RateCheck[],
  grants: LimitGrants,
  table: RateTable,
  refused: RateDecision,
): Promise<RateDecision> {
  let decision = refused;
  for (let tries = 0; tries < grantTriesMax; tries += 1) {
    const short = shortOf(decision);
    const check = checks[placeOf(decision)];
    if (short === 0 || check === undefined) return decision;
    const answer = await grants.rate(table, check.id, check.limit, short);
    if (answer.outcome === "away") return busy;
    // What was given may be gone again, to a request of another thread.
    decision = windows.consume(checks);
    if (answer.outcome === "scarce") return decision;
  }
  return decision;
}

async function reserveGranted(
  windows: UsageWindows,
  caps: readonly UsageCap[],
  worst: UsageAmounts,
  grants: LimitGrants,
  refused: UsageDecision,
): Promise<UsageDecision> {
  let decision = refused;
  for (let tries = 0; tries < grantTriesMax; tries += 1) {
    const short = shortCap(decision, caps);
    if (short === null) return decision;
    const answer = await grants.cap(short.cap, short.amount);
    if (answer.outcome === "away") return { ...busy, because: "busy" };
    decision = windows.reserve(caps, worst);
    if (answer.outcome !== "scarce") continue;
    if (decision.admitted || decision.refusedAt === null) return decision;
    const waitSeconds = Math.ceil(answer.waitMs / 1_000);
    return {
      ...decision,
      usage: answer.usage > decision.usage ? answer.usage : decision.usage,
      retryAfterSeconds: Math.max(waitSeconds, decision.retryAfterSeconds),
    };
  }
  return decision;
}

function shortOf(decision: RateDecision): number {
  return decision.admitted || decision.refusedAt === null ? 0 : decision.short;
}

function placeOf(decision: RateDecision): number {
  return decision.admitted ? -1 : (decision.refusedAt ?? -1);
}

function shortCap(
  decision: UsageDecision,
  caps: readonly UsageCap[],
): { readonly cap: UsageCap; readonly amount: bigint } | null {
  if (decision.admitted || decision.refusedAt === null) return null;
  const cap = caps[decision.refusedAt];
  return cap === undefined || decision.short === undefined ? null : { cap, amount: decision.short };
}

const busy = { admitted: false, refusedAt: null } as const;
