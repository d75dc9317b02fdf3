import type { ManagedResources } from "./managed-resources.ts";
import { providerStateCatchUpMsMax } from "../contract/limits.ts";
import { systemClock } from "../runtime/clock.ts";
import { StoredProviderState } from "../store/embedded/provider-state.ts";
import type { Store } from "../store/embedded/store.ts";
import type { Journal } from "../store/journal/journal.ts";
import type { ProxyThreads } from "../threads/proxy-threads.ts";

/** Whose the ids of what providers store are, as one thread reads them. */
export function providerStateOf(
  store: Store,
  { organizations }: Pick<ManagedResources, "organizations">,
  catchUp: () => Promise<void>,
): StoredProviderState {
  return new StoredProviderState({
    rows: store.journal.providerState,
    clock: systemClock,
    retentionDays: (orgId) => organizations.find(orgId)?.retentionDays ?? null,
    catchUp,
  });
}

/**
 * Brings into the store what every thread has created. Without other threads nothing is missing. A thread that
 * stands still is waited for no longer than `providerStateCatchUpMsMax`.
 */
export function catchUpOf(
  journal: Pick<Journal, "appliedAll">,
  others: () => Pick<ProxyThreads, "handedOver"> | null,
): () => Promise<void> {
  return () => {
    const threads = others();
    if (threads === null) return Promise.resolve();
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(over, providerStateCatchUpMsMax).unref();
      void threads
        .handedOver()
        .then(() => journal.appliedAll(providerStateCatchUpMsMax))
        .then(over);
    });
  };
}
