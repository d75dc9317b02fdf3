import { resolve } from "node:path";
import { readConfigurationFile } from "./file.ts";
import { readGatewaySettings, variable } from "./environment.ts";
import { resolveControlPlane } from "./control-plane.ts";
import { resolveNetwork } from "./network.ts";
import { resolveStore } from "./store.ts";
import { resolveAccounts } from "./accounts.ts";
import {
  injectionPolicyDefault,
  originExpected,
  publicUrlExpected,
  scanPriceDefault,
  type ConfigurationFile,
} from "../contract/configuration-file.ts";
import type { Configuration, ConfigurationFault } from "../contract/configuration.ts";
import {
  billingPathDefault,
  dashboardBillingPath,
  cacheBytesMaxDefault,
  holdsPerOrganizationMax,
  lowBalanceUsdDefault,
  scanContentBytesMaxDefault,
  scanRequestsPerMinuteDefault,
  tokenCountsPerMinuteDefault,
} from "../contract/limits.ts";
import { unknownVariables, type UnknownVariable } from "./unknown-variables.ts";

export type LoadedConfiguration =
  | {
      readonly ok: true;
      readonly value: Configuration;
      readonly unknownVariables: readonly UnknownVariable[];
    }
  | { readonly ok: false; readonly faults: readonly ConfigurationFault[] };

/**
 * Reads environment and file (design section 2). `GATEWAY_CONFIG` names the file, relative to `cwd`;
 * otherwise it is `weir.config.json` there, if that exists. A blank variable counts as unset. Reports every
 * fault, not only the first. A credential variable that is not set is no fault.
 */
export function loadConfiguration(env: NodeJS.ProcessEnv, cwd: string): LoadedConfiguration {
  const faults: ConfigurationFault[] = [];
  const gateway = readGatewaySettings(env, cwd, faults);
  const wanted = variable(env, "GATEWAY_CONFIG");
  const path = resolve(cwd, wanted ?? "weir.config.json");
  const file = readConfigurationFile(path, wanted === undefined, faults);
  if (file === undefined) return { ok: false, faults };
  const providers = resolveAccounts(file.providers ?? [], env, faults);
  const dashboardOrigin = resolveDashboardOrigin(file, faults);
  const publicUrl = resolvePublicUrl(file, faults);
  const configuration: Configuration = {
    gateway,
    publicUrl,
    store: resolveStore(file.store, env, faults),
    providers,
    builtInDemo: (file.providers ?? []).length === 0,
    network: resolveNetwork(file.network ?? {}, faults),
    controlPlane: resolveControlPlane(file.controlPlane ?? {}, providers, faults),
    security: resolveSecurity(file),
    scan: {
      contentBytesMax: file.scan?.contentBytesMax ?? scanContentBytesMaxDefault,
      requestsPerMinute: file.scan?.requestsPerMinute ?? scanRequestsPerMinuteDefault,
    },
    tokenCounts: {
      requestsPerMinute: file.tokenCounts?.requestsPerMinute ?? tokenCountsPerMinuteDefault,
    },
    billing: resolveBilling(file, { publicUrl, dashboardOrigin }, faults),
    dashboard: { origin: dashboardOrigin },
    cache: { bytesMax: file.cache?.bytesMax ?? cacheBytesMaxDefault },
    pricing: resolvePricing(file, faults),
  };
  if (faults.length > 0) return { ok: false, faults };
  const named = (file.providers ?? []).flatMap(({ apiKey }) => apiKey?.env ?? []);
  if (file.store?.type === "postgres") named.push(file.store.url.env);
  return {
    ok: true,
    value: deepFreeze(configuration),
    unknownVariables: unknownVariables(env, named),
  };
}

function resolvePublicUrl(
  { publicUrl }: ConfigurationFile,
  faults: ConfigurationFault[],
): string | null {
  if (publicUrl === undefined) return null;
  if (!URL.canParse(publicUrl)) {
    faults.push({ path: "publicUrl", expected: publicUrlExpected });
    return null;
  }
  const { origin, pathname } = new URL(publicUrl);
  return origin + pathname.replace(/\/+$/, "");
}

function resolveDashboardOrigin(
  { dashboard }: ConfigurationFile,
  faults: ConfigurationFault[],
): string | null {
  const url = dashboard?.publicUrl;
  if (url === undefined) return null;
  if (URL.canParse(url)) return new URL(url).origin;
  faults.push({ path: "dashboard.publicUrl", expected: originExpected });
  return null;
}

function resolveSecurity(file: ConfigurationFile): Configuration["security"] {
  const injection = file.security?.defaultPolicy?.injection;
  return { defaultPolicy: { injection: { ...injectionPolicyDefault, ...injection } } };
}

function resolveBilling(
  { billing }: ConfigurationFile,
  { publicUrl, dashboardOrigin }: Readonly<Record<"publicUrl" | "dashboardOrigin", string | null>>,
  faults: ConfigurationFault[],
): Configuration["billing"] {
  const ofDashboard = dashboardOrigin === null ? null : dashboardOrigin + dashboardBillingPath;
  // Whoever reaches the gateway alone from outside can still ask it for a balance.
  const ofGateway = publicUrl === null ? null : publicUrl + billingPathDefault;
  const url = billing?.url ?? ofDashboard ?? ofGateway;
  if (url !== null && !URL.canParse(url)) {
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

function resolvePricing(
  file: ConfigurationFile,
  faults: ConfigurationFault[],
): Configuration["pricing"] {
  const models = file.pricing?.models ?? {};
  for (const [model, { validFrom, validUntil }] of Object.entries(models)) {
    const path = `pricing.models[${JSON.stringify(model)}]`;
    for (const [name, date] of Object.entries({ validFrom, validUntil })) {
      if (date === undefined || isDate(date)) continue;
      faults.push({ path: `${path}.${name}`, expected: "a day that the calendar has" });
    }
    if (validFrom === undefined || validUntil === undefined) continue;
    if (Date.parse(validUntil) > Date.parse(validFrom)) continue;
    faults.push({ path: `${path}.validUntil`, expected: "a time after validFrom" });
  }
  return {
    models,
    scan: { ...scanPriceDefault, ...file.pricing?.scan },
  };
}

/** The parser turns the 30th of February into the 2nd of March. */
function isDate(text: string): boolean {
  const day = text.slice(0, "2026-01-31".length);
  const midnight = new Date(day);
  return !Number.isNaN(Date.parse(text)) && midnight.toISOString().startsWith(day);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value) as unknown[]) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
