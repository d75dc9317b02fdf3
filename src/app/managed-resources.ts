import { keySnapshotCheckMs } from "../contract/limits.ts";
import type { Keys } from "../store/embedded/keys/keys.ts";
import { keepCurrent } from "../store/embedded/mirror.ts";
import { openOrganizations, type Organizations } from "../store/embedded/organizations.ts";
import { openPolicies, type Policies } from "../store/embedded/policies.ts";
import { openProviders, type Providers } from "../store/embedded/providers.ts";
import type { Store } from "../store/embedded/store.ts";
import { openUsageLimits, type UsageLimits } from "../store/embedded/usage-limits.ts";

/** The resources that operators and admins manage, besides keys. Requests read them from memory. */
export interface ManagedResources {
  readonly organizations: Organizations;
  readonly usageLimits: UsageLimits;
  readonly policies: Policies;
  readonly providers: Providers;
  /** Stops checking the store. */
  close(): void;
}

/** `providersChanged` is called after every change of an account. Throws if the store can't be read. */
export function openManagedResources(
  store: Store,
  keys: Pick<Keys, "keyUnderPolicy">,
  providersChanged: () => void,
  onCheckFailed: (error: unknown) => void,
): ManagedResources {
  const organizations = openOrganizations(store);
  const usageLimits = openUsageLimits(store);
  const policies = openPolicies(store, organizations, keys);
  const providers = openProviders(store, providersChanged);
  const mirrors = [organizations, usageLimits, policies, providers];
  const close = keepCurrent(mirrors, keySnapshotCheckMs, onCheckFailed);
  return { organizations, usageLimits, policies, providers, close };
}
