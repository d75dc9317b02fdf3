import { ApiKeys } from "./api-keys.ts";
import { listBatches } from "./batches.ts";
import { BooksEndpoints } from "./books.ts";
import { handling, type BodyUse, type KeysApiEndpoint, type EndpointServices } from "./endpoint.ts";
import { ledgerCsv } from "./ledger-csv.ts";
import { OrganizationEndpoints } from "./organizations.ts";
import { PolicyEndpoints, type CheckPatterns } from "./policies.ts";
import { ProviderEndpoints } from "./providers.ts";
import type { FindHealth } from "./provider-health.ts";
import { TeamEndpoints } from "./teams.ts";
import { UsageLimitEndpoints } from "./usage-limits.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { InjectionRule } from "../../contract/security-policy.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import type { JobViews } from "../../store/embedded/jobs/job-views.ts";
import type { Keys } from "../../store/embedded/keys/keys.ts";
import type { Ledger } from "../../store/ledger/ledger.ts";
import type { Organizations } from "../../store/embedded/organizations.ts";
import type { Policies } from "../../store/embedded/policies.ts";
import type { Providers } from "../../store/embedded/providers.ts";
import type { UsageLimits } from "../../store/embedded/usage-limits.ts";
import type { FileAccounts } from "../../contract/account.ts";
import type { ResolveEntry } from "../../pipeline/routing/provider-accounts.ts";
import type { CurrentSpending, CurrentUsage } from "../../pipeline/limits/usage-view.ts";

/** The services that the keys API needs. The composition root provides them. */
export interface KeysApiServices extends EndpointServices {
  readonly keys: Keys;
  readonly organizations: Organizations;
  readonly usageLimits: UsageLimits;
  readonly policies: Policies;
  readonly providers: Providers;
  readonly ledger: Ledger;
  /** Balances below it are low. */
  readonly lowBalance: MicroUsd;
  readonly currentUsage: CurrentUsage;
  readonly currentSpending: CurrentSpending;
  readonly checkPatterns: CheckPatterns;
  /** The API can only read these. */
  readonly fileAccounts: FileAccounts;
  readonly defaultInjection: InjectionRule;
  readonly resolveEntry: ResolveEntry;
  readonly accountHealth: FindHealth;
  /** Of batch scans. */
  readonly jobs: Pick<JobViews, "list">;
  readonly clock?: Clock;
}

type Table = Readonly<Record<string, Readonly<Record<string, ReturnType<typeof handling>>>>>;

/** Every endpoint of the keys API by path and method (spec: Keys API; design section 7). */
export function keysApiRoutes(services: KeysApiServices): Table {
  const { organizations, ledger, clock = systemClock } = services;
  const find = (id: string) => organizations.find(id);
  const keys = new ApiKeys(services.keys, find, clock);
  const limits = new UsageLimitEndpoints(services.usageLimits, find, services.currentUsage);
  const teams = new TeamEndpoints(services.keys, find, services.currentSpending);
  const orgs = new OrganizationEndpoints(organizations, ledger);
  const { lowBalance, currentSpending } = services;
  const books = new BooksEndpoints({ ledger, lowBalance, find, currentSpending, clock });
  const { providers, fileAccounts, policies, checkPatterns, defaultInjection } = services;
  const accounts = new ProviderEndpoints(
    providers,
    fileAccounts,
    services.resolveEntry,
    services.accountHealth,
  );
  const security = new PolicyEndpoints(policies, find, checkPatterns, defaultInjection);
  const on = (bodyUse: BodyUse, endpoint: KeysApiEndpoint) => handling(services, bodyUse, endpoint);
  /** What a viewer of the organization sees too. */
  const shown = (endpoint: KeysApiEndpoint) => handling(services, "none", endpoint, true);
  const base = "/api/v1/gateway";
  return {
    [`${base}/api-keys`]: {
      POST: on("required", (call) => keys.create(call)),
      GET: shown((call, exchange) => keys.list(call, exchange)),
    },
    [`${base}/api-keys/:id`]: {
      GET: shown((call) => keys.get(call)),
      PATCH: on("required", (call) => keys.update(call)),
      DELETE: on("none", (call) => keys.revoke(call)),
    },
    [`${base}/api-keys/:id/rotate`]: { POST: on("optional", (call) => keys.rotate(call)) },
    [`${base}/teams`]: { GET: shown((call, exchange) => teams.list(call, exchange)) },
    [`${base}/usage-limits`]: {
      POST: on("required", (call) => limits.create(call)),
      GET: shown((call) => limits.list(call)),
    },
    [`${base}/usage-limits/:id`]: {
      GET: shown((call) => limits.get(call)),
      PATCH: on("required", (call) => limits.update(call)),
      DELETE: on("none", (call) => limits.remove(call)),
    },
    [`${base}/usage-limits/:id/usage`]: { GET: shown((call) => limits.usage(call)) },
    [`${base}/orgs`]: {
      POST: on("required", (call) => orgs.create(call)),
      GET: on("none", (call) => orgs.list(call)),
    },
    [`${base}/orgs/:id`]: {
      GET: on("none", (call) => orgs.get(call)),
      PATCH: on("required", (call) => orgs.update(call)),
    },
    [`${base}/orgs/:id/top-ups`]: { POST: on("required", (call) => books.topUp(call)) },
    [`${base}/orgs/:id/corrections`]: { POST: on("required", (call) => books.correct(call)) },
    [`${base}/orgs/:id/budget`]: { GET: shown((call) => books.budget(call)) },
    [`${base}/orgs/:id/balance`]: { GET: shown((call) => books.balance(call)) },
    [`${base}/orgs/:id/ledger`]: { GET: shown((call) => books.list(call)) },
    [`${base}/orgs/:id/ledger/months`]: { GET: shown((call) => books.months(call)) },
    [`${base}/orgs/:id/ledger.csv`]: {
      GET: shown((call, exchange) => ledgerCsv(call, exchange, ledger, find)),
    },
    [`${base}/providers`]: {
      POST: on("required", (call) => accounts.create(call)),
      GET: on("none", (call) => accounts.list(call)),
    },
    [`${base}/providers/:id`]: {
      GET: on("none", (call) => accounts.get(call)),
      PATCH: on("required", (call) => accounts.update(call)),
      DELETE: on("none", (call) => accounts.remove(call)),
    },
    [`${base}/providers/:id/health`]: { GET: on("none", (call) => accounts.health(call)) },
    [`${base}/batches`]: { GET: shown((call) => listBatches(call, services.jobs, find)) },
    [`${base}/policies`]: {
      POST: on("required", (call) => security.create(call)),
      GET: shown((call) => security.list(call)),
    },
    [`${base}/policies/:id`]: {
      GET: shown((call) => security.get(call)),
      PATCH: on("required", (call) => security.update(call)),
      DELETE: on("none", (call) => security.remove(call)),
    },
  };
}
