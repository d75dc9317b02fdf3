import type { FileAccounts, ProviderAccount } from "../../contract/account.ts";
import type { ProviderEntry } from "../../contract/configuration-provider.ts";
import type { ConfigurationFault } from "../../contract/configuration.ts";
import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { StoredProvider } from "../../store/embedded/providers.ts";

/**
 * Resolves one entry to an account, in the same way as the configuration's own entries. The credential comes
 * from the environment. Faults of the entry are added to `faults`.
 */
export type ResolveEntry = (
  entry: ProviderEntry,
  faults: ConfigurationFault[],
) => readonly ProviderAccount[];

/**
 * Resolves an account that the API is about to store, with its credential from the environment. Errors:
 * `invalid_request` for faults that a schema can't express, and for the type `demo`, which only the gateway
 * itself serves.
 */
export function resolveEntry(
  entry: ProviderEntry,
  resolve: ResolveEntry,
): Outcome<ProviderAccount> {
  if (entry.type === "demo") {
    return wrong("type", "must not be demo, which only the configuration file can use");
  }
  // Providers must not get the gateway's own secrets.
  if (entry.apiKey?.env.startsWith("GATEWAY_") === true) {
    return wrong("apiKey", "must name a variable that does not begin with GATEWAY_");
  }
  const faults: ConfigurationFault[] = [];
  const [account] = resolve(entry, faults);
  const fault = faults[0];
  if (account !== undefined && fault === undefined) return accept(account);
  const path = fault?.path.replace(/^providers\[0\]\./, "") ?? "";
  return wrong(path.split(/[.[]/)[0] ?? "", `must be ${fault?.expected ?? "an account"}`, path);
}

/** The accounts that serve requests: those of the file, and those that the API made. */
export interface ServingAccounts {
  readonly ofFile: readonly ProviderAccount[];
  readonly ofApi: readonly StoredProvider[];
}

/** An account of the file hides an API account of the same name. */
export function servingAccounts(
  { accounts, builtInDemo }: FileAccounts,
  stored: readonly StoredProvider[],
): ServingAccounts {
  const names = new Set(accounts.map(({ name }) => name));
  const ofApi = stored.filter(({ entry }) => !names.has(entry.name));
  return { ofFile: builtInDemo && ofApi.length > 0 ? [] : accounts, ofApi };
}

/** The same accounts with credentials from the environment, the file's first. */
export function resolvedAccounts(
  file: FileAccounts,
  stored: readonly StoredProvider[],
  resolve: ResolveEntry,
): readonly ProviderAccount[] {
  const { ofFile, ofApi } = servingAccounts(file, stored);
  return [...ofFile, ...ofApi.flatMap(({ entry }) => resolveStored(entry, resolve))];
}

/**
 * Resolves a stored entry to an account, in a list of one. If its credential has become unusable since it was
 * stored, the credential counts as not set.
 */
export function resolveStored(
  entry: ProviderEntry,
  resolve: ResolveEntry,
): readonly ProviderAccount[] {
  const faults: ConfigurationFault[] = [];
  const accounts = resolve(entry, faults);
  return faults.length === 0
    ? accounts
    : accounts.map((account) => ({ ...account, credential: undefined }));
}

function wrong(param: string, message: string, path = param): Outcome<never> {
  return refuseParameter(param, `${path} ${message}.`);
}
