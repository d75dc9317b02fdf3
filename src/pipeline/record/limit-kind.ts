import type { UsageLimitType } from "../../contract/usage-limit.ts";

/** Which limit refused a request: the label of a metric. */
export type LimitKind =
  | `rate_${"org" | "key" | "scan" | "passthrough"}`
  | `usage_${UsageLimitType}`
  | `budget_${"org" | "team"}`;

/** Told of every request that a limit refused. */
export type LimitRejections = (kind: LimitKind) => void;
