import type { FileAccounts, ProviderAccount } from "../../contract/account.ts";
import type { ProviderEntry } from "../../contract/configuration-provider.ts";
import type { ConfigurationFault } from "../../contract/configuration.ts";
import { refuseParameter } from "../../contract/errors.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { StoredProvider } from "../../store/embedded/providers.ts";

/**
 * One entry as an account, as the configuration resolves its own: the credential is taken from the
 * environment. What is wrong with the entry is added to `faults`.
 */
export type ResolveEntry = (
  entry: ProviderEntry,
  faults: ConfigurationFault[],
) => readonly ProviderAccount[];

/**
 * An account that the API is about to store, with its credential taken from the environment. Errors:
 * `invalid_request` for what a schema can't say, and for the type `demo`, which the gateway itself
 * serves.
 */
export function resolveEntry(
  entry: ProviderEntry,
  resolve: ResolveEntry,
): Outcome<ProviderAccount> {
  if (entry.type === "demo") {
    return wrong(
      "type",
      "must be another than demo, which only the configuration file can ask for",
    );
  }
  // The gateway's own secrets are not for providers.
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

/** What serves requests: accounts of the file and accounts that the API made. */
export interface ServingAccounts {
  readonly ofFile: readonly ProviderAccount[];
  readonly ofApi: readonly StoredProvider[];
}

/** The file's accounts hide those of the API with the same name. */
export function servingAccounts(
  { accounts, builtInDemo }: FileAccounts,
  stored: readonly StoredProvider[],
): ServingAccounts {
  const names = new Set(accounts.map(({ name }) => name));
  const ofApi = stored.filter(({ entry }) => !names.has(entry.name));
  return { ofFile: builtInDemo && ofApi.length > 0 ? [] : accounts, ofApi };
}

/** The same with the credentials of the environment, the file's first. */
export function resolvedAccounts(
  file: FileAccounts,
  stored: readonly StoredProvider[],
  resolve: ResolveEntry,
): readonly ProviderAccount[] {
  const { ofFile, ofApi } = servingAccounts(file, stored);
  return [...ofFile, ...ofApi.flatMap(({ entry }) => resolveStored(entry, resolve))];
}

/**
 * A stored entry as an account, in a list of one. A credential that has become unusable since it was
 * stored counts as not set.
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
