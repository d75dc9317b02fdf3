import type { UsageView } from "../../contract/keys-api/usage-limit.ts";
import { thresholdUnits, usageText, type UsageLimit } from "../../contract/usage-limit.ts";

/** The usage in the limit's current window: micro-dollars for `cost`, else tokens or requests. */
export type CurrentUsage = (limit: UsageLimit) => bigint;

/** spec: Usage view. `exceeded` is true once the usage reaches the threshold; then the limit refuses. */
export function usageView(limit: UsageLimit, currentUsage: CurrentUsage): UsageView {
  const { id, limitType, threshold, timeWindow } = limit;
  const used = currentUsage(limit);
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
