import type { BudgetUse } from "../../contract/keys-api/budget.ts";
import type { UsageView } from "../../contract/keys-api/usage-limit.ts";
import type { Budget } from "../../contract/identity.ts";
import { thresholdUnits, usageText, type UsageLimit } from "../../contract/usage-limit.ts";

/**
 * The usage in the limit's current window: micro-dollars for `cost`, else tokens or requests. If several gateways share a
 * store: what they have counted there. If that can't be asked: what this gateway knows.
 */
export type CurrentUsage = (limit: UsageLimit) => Promise<bigint>;

/**
 * Micro-dollars that were used in the current window of an organization's budget, or of its team's. Otherwise as
 * `CurrentUsage`.
 */
export type CurrentSpending = (
  orgId: string,
  team: string | null,
  budget: Budget,
) => Promise<bigint>;

/** spec: Usage view. `exceeded` is true once the usage reaches the threshold; then the limit refuses. */
export async function usageView(limit: UsageLimit, currentUsage: CurrentUsage): Promise<UsageView> {
  const { id, limitType, threshold, timeWindow } = limit;
  const used = await currentUsage(limit);
  const cap = thresholdUnits(limitType, threshold);
  return {
    limitId: id,
    limitType,
    threshold,
    currentUsage: usageText(limitType, used),
    timeWindow,
    exceeded: cap !== undefined && used >= cap,
  };
}

/** A budget of an organization, or of one of its teams, with what was spent of it. */
export async function budgetUse(
  orgId: string,
  team: string | null,
  budget: Budget,
  currentSpending: CurrentSpending,
): Promise<BudgetUse> {
  const { usd, window } = budget;
  const used = await currentSpending(orgId, team, budget);
  const cap = thresholdUnits("cost", usd);
  const exceeded = cap !== undefined && used >= cap;
  return { usd, window, usedUsd: usageText("cost", used), exceeded };
}
