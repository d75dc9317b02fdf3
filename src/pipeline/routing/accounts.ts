import { distance } from "fastest-levenshtein";
import type { AccountModel, ProviderAccount } from "../../contract/account.ts";
import { refuse } from "../../contract/errors.ts";
import {
  nameShownCharsMax,
  suggestedInMessageMax,
  suggestedModelsMax,
} from "../../contract/limits.ts";
import { accept, type Outcome, type Refused } from "../../contract/outcome.ts";
import { modelEndpoints } from "../../contract/endpoints/by-path.ts";
import type { ApiKey } from "../../contract/identity.ts";
import type { Wire } from "../../contract/wire.ts";
import { mayUseModel } from "./allowed-models.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { CircuitView } from "../../contract/account-health.ts";
import type { AccountCircuit } from "../record/provider-metrics.ts";

/** An account that can serve a request, and its name for the model. */
export interface Candidate {
  readonly account: ProviderAccount;
  readonly model: AccountModel;
  readonly circuit: CircuitBreaker;
}

/** A model as `GET /v1/models` lists it. */
export interface ListedModel {
  /** `provider/model`. */
  readonly id: string;
  readonly provider: string;
}

/** What of a key decides which accounts and models it may use. */
export type RoutedKey = Pick<ApiKey, "orgId" | "allowedModels">;

const noOrganization: RoutedKey = { orgId: null, allowedModels: null };

interface Entry {
  readonly account: ProviderAccount;
  readonly circuit: CircuitBreaker;
}

/**
 * Finds the accounts that serve a model (design section 7, "Accounts"). Models with the same id or alias form one
 * pool. They take turns by their weights, and those after the first are for failover.
 */
export class Accounts {
  #entries: readonly Entry[] = [];
  /** Without the accounts that serve one organization alone. */
  #shared: readonly Entry[] = [];
  #turn = 0;

  constructor(accounts: readonly ProviderAccount[]) {
    this.replace(accounts);
  }

  /** Takes effect from the next request on. An account that did not change keeps the state of its circuit. */
  replace(accounts: readonly ProviderAccount[]): void {
    const before = new Map(this.#entries.map((entry) => [entry.account.name, entry]));
    this.#entries = accounts.map((account) => {
      const known = before.get(account.name);
      const stayed = known?.account.origin === account.origin;
      return { account, circuit: stayed ? known.circuit : new CircuitBreaker() };
    });
    this.#shared = this.#entries.filter(({ account }) => account.orgId === null);
  }

  /**
   * The accounts to try, in order, at least one.
   *
   * `model` is `provider/model`, a bare id or an alias. `provider` is the name in `X-Svc-Provider` or in the
   * body: a provider, a type or an account. Errors: `no_route`, `forbidden` if the caller may not use the
   * model, `missing_credentials`, `cloud_sdk_unavailable`, `circuit_open`. Accounts of other organizations
   * do not exist for the caller.
   */
  route(
    wire: Wire,
    model: string,
    provider: string | null,
    key: RoutedKey = noOrganization,
  ): Outcome<readonly Candidate[]> {
    const entries = this.#entriesFor(key);
    const found = serving(entries, wire, model, provider);
    if (found.length === 0) return noRoute(entries, wire, model, provider, key);
    // A name may stand for several models, and the caller may be allowed only some of them.
    const served = found.filter((candidate) => mayUse(key, candidate));
    if (served.length === 0) return forbiddenModel(model);
    const usable = served.filter(({ account }) => unusable(account) === null);
    const first = served[0];
    if (usable.length === 0 && first !== undefined) {
      return unusable(first.account) ?? noRoute(entries, wire, model, provider, key);
    }
    const closed = usable.filter(({ circuit }) => circuit.admits());
    if (closed.length === 0) return outOfRotation(usable);
    if (closed.length === 1) return accept(closed);
    this.#turn = (this.#turn + 1) % turnsMax;
    return accept(inTurn(closed, (this.#turn * goldenRatio) % 1));
  }

  /** All accounts, in their order. */
  get serving(): readonly ProviderAccount[] {
    return this.#entries.map(({ account }) => account);
  }

  /** The circuits of all accounts, as this thread sees them. */
  get circuits(): readonly AccountCircuit[] {
    return this.#entries.map(({ account, circuit }) => {
      return { account: account.name, isOpen: circuit.isOpen };
    });
  }

  /** The circuit of an account, as this thread sees it; null if there is no such account. */
  circuitOf(name: string): CircuitView | null {
    return this.#entries.find(({ account }) => account.name === name)?.circuit.view() ?? null;
  }

  /** Every model that the caller may use, once, by its catalog id, in the order of the accounts. */
  list(key: RoutedKey = noOrganization): readonly ListedModel[] {
    const models = new Map<string, ListedModel>();
    for (const { account } of this.#entriesFor(key)) {
      for (const model of account.models) {
        const id = catalogId({ account, model });
        if (models.has(id) || !mayUse(key, { account, model })) continue;
        models.set(id, { id, provider: account.provider });
      }
    }
    return [...models.values()];
  }

  /** The model that a request with this name would use, on any wire; null if the caller may use none. */
  find(name: string, key: RoutedKey = noOrganization): ListedModel | null {
    const entries = this.#entriesFor(key);
    const found = meant(entries, entries, name).find((one) => mayUse(key, one));
    if (found === undefined) return null;
    return { id: catalogId(found), provider: found.account.provider };
  }

  #entriesFor({ orgId }: RoutedKey): readonly Entry[] {
    if (this.#shared.length === this.#entries.length) return this.#shared;
    return this.#entries.filter(({ account }) => account.orgId === null || account.orgId === orgId);
  }
}

/** Its multiples are spread evenly, and so is every part of them that comes at regular distances. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;
const turnsMax = 2 ** 32;

/**
 * The order in which a pool is tried: by priority, and within one beginning with the model at `share` of the sum
 * of the weights, from 0 to below 1; the others follow in their order, those without a weight last.
 */
export function inTurn<C extends Pick<Candidate, "model">>(
  pool: readonly C[],
  share: number,
): readonly C[] {
  const priorities = [...new Set(pool.map(({ model }) => model.priority))].sort((a, b) => a - b);
  return priorities.flatMap((priority) => {
    const equals = pool.filter(({ model }) => model.priority === priority);
    const weighed = equals.filter(({ model }) => model.weight > 0);
    const start = placeAt(weighed, share);
    const last = equals.filter(({ model }) => model.weight === 0);
    return [...weighed.slice(start), ...weighed.slice(0, start), ...last];
  });
}

function placeAt(weighed: readonly Pick<Candidate, "model">[], share: number): number {
  let left = share * weighed.reduce((sum, { model }) => sum + model.weight, 0);
  const place = weighed.findIndex(({ model }) => (left -= model.weight) < 0);
  return Math.max(0, place);
}

function serving(
  entries: readonly Entry[],
  wire: Wire,
  model: string,
  provider: string | null,
): readonly Candidate[] {
  const asked = provider === null ? entries : named(entries, provider);
  const speaking = asked.filter(({ account }) => account.wires.includes(wire));
  return meant(entries, speaking, model);
}

/**
 * Finds who of `asked` serves a model. If the prefix is the name of a provider or an account, that one is meant:
 * `openai/gpt-5.1` is also OpenRouter's name for the model, and an account of type `openai` may lead
 * anywhere. So an id that itself contains a slash comes second. A type comes last, and only if nothing in
 * `entries` has that name.
 */
function meant(
  entries: readonly Entry[],
  asked: readonly Entry[],
  model: string,
): readonly Candidate[] {
  const slash = model.indexOf("/");
  if (slash < 0) return candidatesFor(asked, model);
  const prefix = model.slice(0, slash);
  const rest = model.slice(slash + 1);
  const called = candidatesFor(
    asked.filter(({ account }) => isCalled(account, prefix)),
    rest,
  );
  if (called.length > 0) return called;
  const ofId = candidatesFor(asked, model);
  if (ofId.length > 0 || entries.some(({ account }) => isCalled(account, prefix))) return ofId;
  return candidatesFor(
    asked.filter(({ account }) => account.type === prefix),
    rest,
  );
}

/** The accounts that a caller means by a name: those with that name, else those of that type. */
function named(entries: readonly Entry[], name: string): readonly Entry[] {
  const called = entries.filter(({ account }) => isCalled(account, name));
  return called.length > 0 ? called : entries.filter(({ account }) => account.type === name);
}

function noRoute(
  entries: readonly Entry[],
  wire: Wire,
  model: string,
  provider: string | null,
  key: RoutedKey,
): Outcome<never> {
  const accounts = entries.map(({ account }) => account);
  const known = accounts
    .filter(({ wires }) => wires.includes(wire))
    .flatMap((account) =>
      account.models
        .filter((one) => mayUse(key, { account, model: one }))
        .map(({ id }) => `${account.provider}/${id}`),
    );
  const suggested = nearest(model, known);
  return refuse("no_route", noRouteText(entries, wire, model, provider, key, suggested), {
    details: {
      param: "model",
      requested_model: model,
      suggested_models: suggested,
      available_provider_types: [...new Set(accounts.map(({ type }) => type))],
      available_account_names: accounts.map(({ name }) => name),
    },
  });
}

/** Clients show only the message. So it says what to do instead: another endpoint or other models. */
function noRouteText(
  entries: readonly Entry[],
  wire: Wire,
  model: string,
  provider: string | null,
  key: RoutedKey,
  suggested: readonly string[],
): string {
  const path = modelEndpoints.find((endpoint) => endpoint.wire === wire)?.path ?? "";
  const elsewhere = modelEndpoints.find(
    ({ wire: other }) =>
      other !== wire && serving(entries, other, model, provider).some((one) => mayUse(key, one)),
  )?.path;
  const by = provider === null ? "No provider" : `No provider called ${quoted(provider)}`;
  const text = `${by} serves the model ${quoted(model)} on ${path}`;
  if (elsewhere !== undefined) return `${text}; ${elsewhere} serves it.`;
  const names = suggested.slice(0, suggestedInMessageMax);
  if (names.length === 0) return `${text}, and this endpoint has no model that this key may use.`;
  return `${text}. The nearest names are ${names.join(", ")}; GET /v1/models lists all.`;
}

function mayUse(key: RoutedKey, candidate: Pick<Candidate, "account" | "model">): boolean {
  return mayUseModel(key, catalogId(candidate), aliasesOf(candidate));
}

/** A caller's text in a message, which a terminal may show: quoted, and cut if it is long. */
function quoted(name: string): string {
  return JSON.stringify(
    name.length > nameShownCharsMax ? `${name.slice(0, nameShownCharsMax)}…` : name,
  );
}

/** `provider/model`, without the demo provider's parameters. */
export function catalogId(candidate: Pick<Candidate, "account" | "model">): string {
  return `${candidate.account.provider}/${modelIdOf(candidate)}`;
}

/** The model's id as configured, without the demo provider's parameters. */
export function modelIdOf({ account, model }: Pick<Candidate, "account" | "model">): string {
  const mark = account.type === "demo" ? model.id.indexOf("?") : -1;
  return mark < 0 ? model.id : model.id.slice(0, mark);
}

function aliasesOf({ model }: Pick<Candidate, "model">): readonly string[] {
  return model.alias === null ? [] : [model.alias];
}

/** The refusal for a key that may not use this model (spec: Gateway key attributes). */
export function forbiddenModel(model: string): Outcome<never> {
  return refuse("forbidden", `This key may not use the model ${quoted(model)}.`, {
    details: { param: "model", requested_model: model },
  });
}

function isCalled(account: ProviderAccount, name: string): boolean {
  return account.name === name || account.provider === name;
}

function candidatesFor(entries: readonly Entry[], name: string): readonly Candidate[] {
  return entries.flatMap(({ account, circuit }) => {
    const model = modelOf(account, name);
    return model === undefined ? [] : [{ account, model, circuit }];
  });
}

function modelOf(account: ProviderAccount, name: string): AccountModel | undefined {
  const listed = account.models.find(({ id, alias }) => id === name || alias === name);
  if (listed !== undefined || account.type !== "demo") return listed;
  // The demo provider takes parameters after the name: `echo?tokens=100&delay_ms=10`.
  const mark = name.indexOf("?");
  const bare = mark < 0 ? undefined : account.models.find(({ id }) => id === name.slice(0, mark));
  return bare === undefined
    ? undefined
    : { ...bare, id: name, alias: null, priority: 0, weight: 1 };
}

/** Why an account can't be called; null if it can. */
export function unusable(account: ProviderAccount): Refused | null {
  if (account.type === "bedrock" || account.type === "vertex") {
    return refuse(
      "cloud_sdk_unavailable",
      `Accounts of type ${account.type} need a provider SDK that this build does not have.`,
    );
  }
  if (account.credential === undefined) {
    return refuse(
      "missing_credentials",
      "The account that serves this model has no credential set.",
    );
  }
  return null;
}

/** The refusal if no account may be called now. */
export function outOfRotation(candidates: readonly Candidate[]): Refused {
  return refuse(
    "circuit_open",
    "Every account that serves this model is out of rotation after sustained failures.",
    {
      retryAfterSeconds: Math.min(...candidates.map(({ circuit }) => circuit.retryAfterSeconds())),
    },
  );
}

/** The known ids nearest to `model` in spelling, with or without their provider. */
function nearest(model: string, known: readonly string[]): string[] {
  const wanted = model.toLowerCase();
  const distanceTo = (id: string): number => {
    const bare = id.slice(id.indexOf("/") + 1);
    return Math.min(distance(wanted, id.toLowerCase()), distance(wanted, bare.toLowerCase()));
  };
  return [...new Set(known)]
    .map((id) => ({ id, distance: distanceTo(id) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, suggestedModelsMax)
    .map(({ id }) => id);
}
