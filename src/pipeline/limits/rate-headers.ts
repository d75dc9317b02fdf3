import type { ErrorCode } from "../../contract/errors.ts";
import type { RateState } from "../../store/windows/rate-windows.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";

/**
 * The headers of an admitted request (spec: Rate limits 3). They describe the key's window if the key has a
 * limit, else the organization's. If both have one, the organization's window is added. Without any limit
 * there are none.
 */
export function admittedHeaders(
  organization: RateState | undefined,
  key: RateState | undefined,
): FlatHeaders {
  const active = key ?? organization;
  if (active === undefined) return [];
  const headers = windowHeaders(active);
  if (organization !== undefined) {
    headers.push("X-RateLimit-Org-Limit", String(organization.limit));
    headers.push("X-RateLimit-Org-Remaining", String(organization.remaining));
  }
  return headers;
}

/** The window that refused, or that counts an address. The limit of a key or of scans has no scope. */
export function scopedHeaders(state: RateState, scope: "org" | "passthrough-ip" | null): string[] {
  const headers = windowHeaders(state);
  if (scope !== null) headers.push("X-RateLimit-Scope", scope);
  return headers;
}

/** Balance refusals carry no rate-limit headers (spec: Balance refusals 5). */
export function carriesRateLimits(code: ErrorCode): boolean {
  return code !== "insufficient_balance" && code !== "payg_reserved" && code !== "payg_busy";
}

function windowHeaders({ limit, remaining, resetUnixSeconds }: RateState): string[] {
  return [
    "X-RateLimit-Limit",
    String(limit),
    "X-RateLimit-Remaining",
    String(remaining),
    "X-RateLimit-Reset",
    String(resetUnixSeconds),
  ];
}
