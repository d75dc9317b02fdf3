import type { ErrorCode } from "../../contract/errors.ts";
import type { RateState } from "../../store/windows/rate-windows.ts";
import type { FlatHeaders } from "../../exchange/exchange.ts";

/**
 * The headers of an admitted request (spec: Rate limits 3): the key's window where the key has a
 * limit, else the organization's; the organization's own beside it where it has one. None where
 * neither has.
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

/** The window that refused, or that counts an address; a key's or a scan's limit has no scope. */
export function scopedHeaders(state: RateState, scope: "org" | "passthrough-ip" | null): string[] {
  const headers = windowHeaders(state);
  if (scope !== null) headers.push("X-RateLimit-Scope", scope);
  return headers;
}

/** Balance refusals carry none of these headers (spec: Balance refusals 5). */
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
