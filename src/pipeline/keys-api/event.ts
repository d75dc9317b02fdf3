/** What the keys API changed, for the log and the audit trail (design section 7, "Audit event types"). */
export interface KeysApiEvent {
  readonly type:
    | `${"key" | "usage_limit" | "organization" | "provider" | "policy"}.${"created" | "updated"}`
    | `${"usage_limit" | "provider" | "policy"}.deleted`
    | "key.rotated"
    | "key.revoked";
  /** Of the resource. */
  readonly id: string;
  /** Whose it is; null: a platform key, a provider account. */
  readonly orgId: string | null;
}
