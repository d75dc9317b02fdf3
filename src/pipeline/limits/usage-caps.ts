import type { Budget, Organization } from "../../contract/identity.ts";
import {
  thresholdUnits,
  timeWindows,
  usageLimitTypes,
  windowNamed,
  type UsageLimit,
  type UsageWindow,
} from "../../contract/usage-limit.ts";
import type { UsageCap } from "../../store/windows/usage-windows.ts";
import type { OrganizationKey } from "../caller/authenticate.ts";

/** A cap with the facts that a refusal mentions. */
export interface CallerCap extends UsageCap {
  readonly source: "usage" | "budget_org" | "budget_team";
  /** The threshold as the user wrote it. */
  readonly thresholdText: string;
}

/**
 * A limit's window. It keeps its history when the limit's threshold, name, key or `enabled` changes. A new
 * type or time window starts a new count. It counts from the limit's creation, and only while the limit is
 * enabled.
 */
export function windowOfLimit({
  id,
  limitType,
  timeWindow,
}: Pick<UsageLimit, "id" | "limitType" | "timeWindow">): { id: string; window: UsageWindow } {
  return { id: `${id} ${limitType} ${timeWindow}`, window: windowNamed[timeWindow] };
}

/** Every window that the limit may have used. */
export function windowsOfLimitId(id: string): readonly { readonly id: string }[] {
  return usageLimitTypes.flatMap((limitType) =>
    timeWindows.map((timeWindow) => windowOfLimit({ id, limitType, timeWindow })),
  );
}

/** The caps of a caller: usage limits first, then the budgets of the organization and the team. */
export function capsOf(
  limits: readonly UsageLimit[],
  organization: Organization | undefined,
  key: OrganizationKey,
): readonly CallerCap[] {
  const budget = organization?.budget ?? null;
  const team = key.team;
  const teamBudget = team?.budget ?? null;
  if (limits.length === 0 && budget === null && teamBudget === null) return noCaps;
  const caps = [...capsOfLimits(limits)];
  if (budget !== null) caps.push(budgetCap("budget_org", key.orgId, null, budget));
  if (team !== null && teamBudget !== null) {
    caps.push(budgetCap("budget_team", key.orgId, team.name, teamBudget));
  }
  return caps;
}

/** The window of an organization's budget, or of one of its teams'. Keys of one team count in the same one. */
export function windowOfBudget(
  orgId: string,
  team: string | null,
  budget: Pick<Budget, "window">,
): { id: string; window: UsageWindow } {
  const window = windowNamed[budget.window];
  // An organization's id contains no space, so two team names can't produce the same id.
  const scope = team === null ? `budget ${orgId}` : `team ${orgId} ${team}`;
  return { id: `${scope} ${window}`, window };
}

const noCaps: readonly CallerCap[] = [];

/** The store returns the same array until a limit changes. */
const capsByLimits = new WeakMap<readonly UsageLimit[], readonly CallerCap[]>();

function capsOfLimits(limits: readonly UsageLimit[]): readonly CallerCap[] {
  const known = capsByLimits.get(limits);
  if (known !== undefined) return known;
  const caps = limits.map((limit) => ({
    ...windowOfLimit(limit),
    type: limit.limitType,
    threshold: thresholdUnits(limit.limitType, limit.threshold) ?? 0n,
    hard: false,
    source: "usage" as const,
    thresholdText: limit.threshold,
  }));
  capsByLimits.set(limits, caps);
  return caps;
}

function budgetCap(
  source: "budget_org" | "budget_team",
  orgId: string,
  team: string | null,
  budget: Budget,
): CallerCap {
  return {
    ...windowOfBudget(orgId, team, budget),
    type: "cost",
    threshold: thresholdUnits("cost", budget.usd) ?? 0n,
    hard: true,
    source,
    thresholdText: budget.usd,
  };
}
