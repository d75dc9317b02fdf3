import { resolveAccounts } from "../config-accounts.ts";
import type { ProviderAccount } from "../contract/account.ts";
import type { ProviderEntry } from "../contract/configuration-provider.ts";
import type { ConfigurationFault } from "../contract/configuration.ts";
import { refuseParameter } from "../contract/errors.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import type { StoredProvider } from "../store/providers.ts";

/**
 * An account that the API is about to store, with its credential taken from the environment. Errors:
 * `invalid_request` for what a schema can't say, and for the type `demo`, which the gateway itself
 * serves.
 */
export function resolveEntry(
  entry: ProviderEntry,
  env: NodeJS.ProcessEnv,
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
  const [account] = resolveAccounts([entry], env, faults);
  const fault = faults[0];
  if (account !== undefined && fault === undefined) return accept(account);
  const path = fault?.path.replace(/^providers\[0\]\./, "") ?? "";
  return wrong(path.split(/[.[]/)[0] ?? "", `must be ${fault?.expected ?? "an account"}`, path);
}

/** The accounts that the configuration file asks for. */
export interface FileAccounts {
  readonly accounts: readonly ProviderAccount[];
  /** It asks for none, and these are the built-in demo: off as soon as there is another one. */
  readonly builtInDemo: boolean;
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
  env: NodeJS.ProcessEnv,
): readonly ProviderAccount[] {
  const { ofFile, ofApi } = servingAccounts(file, stored);
  return [...ofFile, ...ofApi.flatMap(({ entry }) => resolveStored(entry, env))];
}

/**
 * A stored entry as an account, in a list of one. A credential that has become unusable since it was
 * stored counts as not set.
 */
export function resolveStored(
  entry: ProviderEntry,
  env: NodeJS.ProcessEnv,
): readonly ProviderAccount[] {
  const faults: ConfigurationFault[] = [];
  const accounts = resolveAccounts([entry], env, faults);
  return faults.length === 0
    ? accounts
    : accounts.map((account) => ({ ...account, credential: undefined }));
}

function wrong(param: string, message: string, path = param): Outcome<never> {
  return refuseParameter(param, `${path} ${message}.`);
}
