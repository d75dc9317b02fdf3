import { resolve } from "node:path";
import { readConfigurationFile } from "./config-file.ts";
import { readGatewaySettings, variable } from "./config-environment.ts";
import { resolveControlPlane } from "./config-control-plane.ts";
import { resolveNetwork } from "./config-network.ts";
import { resolveAccounts } from "./config-accounts.ts";
import {
  injectionPolicyDefault,
  scanPriceDefault,
  type ConfigurationFile,
} from "./contract/configuration-file.ts";
import type { Configuration, ConfigurationFault } from "./contract/configuration.ts";
import {
  billingUrlDefault,
  cacheBytesMaxDefault,
  holdsPerOrganizationMax,
  lowBalanceUsdDefault,
  scanContentBytesMaxDefault,
  scanRequestsPerMinuteDefault,
} from "./contract/limits.ts";

export type LoadedConfiguration =
  | { readonly ok: true; readonly value: Configuration }
  | { readonly ok: false; readonly faults: readonly ConfigurationFault[] };

/**
 * Reads environment and file (design section 2). `GATEWAY_CONFIG` names the file, relative to
 * `cwd`; else it is `weir.config.json` there, if there is one. A blank variable counts as unset.
 * Reports every fault it finds, not the first; a credential variable that is not set is none.
 */
export function loadConfiguration(env: NodeJS.ProcessEnv, cwd: string): LoadedConfiguration {
  const faults: ConfigurationFault[] = [];
  const gateway = readGatewaySettings(env, cwd, faults);
  const named = variable(env, "GATEWAY_CONFIG");
  const path = resolve(cwd, named ?? "weir.config.json");
  const file = readConfigurationFile(path, named === undefined, faults);
  if (file === undefined) return { ok: false, faults };
  const providers = resolveAccounts(file.providers ?? [], env, faults);
  const configuration: Configuration = {
    gateway,
    providers,
    builtInDemo: (file.providers ?? []).length === 0,
    network: resolveNetwork(file.network ?? {}, faults),
    controlPlane: resolveControlPlane(file.controlPlane ?? {}, providers, faults),
    security: resolveSecurity(file),
    scan: {
      contentBytesMax: file.scan?.contentBytesMax ?? scanContentBytesMaxDefault,
      requestsPerMinute: file.scan?.requestsPerMinute ?? scanRequestsPerMinuteDefault,
    },
    billing: resolveBilling(file, faults),
    cache: { bytesMax: file.cache?.bytesMax ?? cacheBytesMaxDefault },
    pricing: resolvePricing(file),
  };
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: deepFreeze(configuration) };
}

function resolveSecurity(file: ConfigurationFile): Configuration["security"] {
  const injection = file.security?.defaultPolicy?.injection;
  return { defaultPolicy: { injection: { ...injectionPolicyDefault, ...injection } } };
}

function resolveBilling(
  { billing }: ConfigurationFile,
  faults: ConfigurationFault[],
): Configuration["billing"] {
  const url = billing?.url ?? billingUrlDefault;
  if (!URL.canParse(url)) {
    faults.push({
      path: "billing.url",
      expected: 'an address such as "https://example.com/billing"',
    });
  }
  return {
    url,
    holdsPerOrganizationMax: billing?.holdsPerOrganizationMax ?? holdsPerOrganizationMax,
    lowBalanceUsd: billing?.lowBalanceUsd ?? lowBalanceUsdDefault,
  };
}

function resolvePricing(file: ConfigurationFile): Configuration["pricing"] {
  return {
    models: file.pricing?.models ?? {},
    scan: { ...scanPriceDefault, ...file.pricing?.scan },
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value) as unknown[]) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
