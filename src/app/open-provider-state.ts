import type { ManagedResources } from "./managed-resources.ts";
import { systemClock } from "../runtime/clock.ts";
import { StoredProviderState } from "../store/embedded/provider-state.ts";
import type { Store } from "../store/embedded/store.ts";

/** Whose the ids of what providers store are, as one thread reads them. */
export function providerStateOf(
  store: Store,
  { organizations }: Pick<ManagedResources, "organizations">,
): StoredProviderState {
  return new StoredProviderState({
    rows: store.journal.providerState,
    clock: systemClock,
    retentionDays: (orgId) => organizations.find(orgId)?.retentionDays ?? null,
  });
}
