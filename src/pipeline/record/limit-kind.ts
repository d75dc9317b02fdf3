import type { UsageLimitType } from "../../contract/usage-limit.ts";

/** The limit that refused a request, as the label of a metric. */
export type LimitKind =
  | `rate_${"org" | "key" | "scan" | "token_count" | "passthrough" | "sign_in"}`
  | `usage_${UsageLimitType}`
  | `budget_${"org" | "team"}`;

/** Called for every request that a limit refused. */
export type LimitRejections = (kind: LimitKind) => void;
