import type { ManagedEventType } from "../../store/embedded/store-draft.ts";

/** What the keys API changed, for the log. */
export interface KeysApiEvent {
  readonly type: ManagedEventType;
  /** Of the resource. */
  readonly id: string;
  /** Whose it is; null: a platform key, a provider account. */
  readonly orgId: string | null;
}
