import type { TimeWindow, UsageWindow } from "./usage-limit.ts";

/** A hard cap on spending in a rolling window. Beyond it, the answer is `budget_exceeded`. */
export interface Budget {
  /** Decimal US dollars, at most six places. */
  readonly usd: string;
  /** The name of the window as it was set. Both names of a window are valid. */
  readonly window: UsageWindow | TimeWindow;
}

/** An organization: the tenant that keys, limits, balances and records belong to. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: "free" | "paid";
  /** Requests a minute of all its keys together; null: no cap (spec: Rate limits 2). */
  readonly rateLimit: number | null;
  readonly budget: Budget | null;
  /** Days that readable content is kept; null: the default (spec: Data retention). */
  readonly retentionDays: number | null;
  /** True if the service may pay for its requests (spec: `payg_disabled`). */
  readonly payg: "enabled" | "disabled";
  /** For its keys without a policy of their own; null: the default one. */
  readonly securityPolicyId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** Keys of one organization that share a budget: those whose team has the same name. */
export interface Team {
  readonly name: string;
  readonly budget: Budget | null;
}

/** A key's setting of the response cache. */
export interface ResponseCacheSetting {
  /** How long its answers are kept, and how old a cached one may be; 1 to `cacheTtlSecondsMax`. */
  readonly ttlSeconds: number;
}

/**
 * A service key without its secret. `orgId` null makes it a platform (operator) key, which may call
 * the keys API for every organization and no model or scan endpoint.
 */
export interface ApiKey {
  readonly id: string;
  readonly orgId: string | null;
  readonly name: string;
  /** The part of the secret that may be shown: `sk-gw-0e6…1c96`. */
  readonly label: string;
  /** A viewer sees what an admin sees, and changes nothing. */
  readonly role: "operator" | "admin" | "viewer" | "member";
  readonly status: "active" | "revoked";
  /** Requests a minute; null: no cap of its own (spec: Rate limits 2). */
  readonly rateLimit: number | null;
  /** Models it may call, written `provider/model`; null: all. */
  readonly allowedModels: readonly string[] | null;
  /** null: the organization's policy, else the default one. */
  readonly securityPolicyId: string | null;
  readonly team: Team | null;
  /** null: only requests that ask for it are answered from the cache. */
  readonly responseCache: ResponseCacheSetting | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** ISO 8601, to about a minute; null: never. */
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
}
