import type { ManagedEventType } from "../../store/embedded/store-draft.ts";

/** A change by the keys API, for the log. */
export interface KeysApiEvent {
  readonly type: ManagedEventType;
  /** The id of the resource. */
  readonly id: string;
  /** The owner; null for a platform key or a provider account. */
  readonly orgId: string | null;
}
