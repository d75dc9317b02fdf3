/** An organization: the tenant that keys, limits, balances and records belong to. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly plan: "free" | "paid";
  /** ISO 8601. */
  readonly createdAt: string;
}

/**
 * A service key without its secret. `orgId` null makes it a platform (operator) key, which may call
 * the keys API for every organization and no model or scan endpoint.
 */
export interface ApiKey {
  readonly id: string;
  readonly orgId: string | null;
  readonly name: string;
  /** What may be shown of the secret: `sk-gw-0e6…1c96`. */
  readonly label: string;
  readonly role: "operator" | "admin" | "member";
  readonly status: "active" | "revoked";
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
}
