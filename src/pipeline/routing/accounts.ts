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
import type { Wire } from "../../contract/wire.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
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

/** Whether a caller may use a model, by its catalog id and other names. */
export type MayUse = (model: string, aliases: readonly string[]) => boolean;

const all: MayUse = () => true;

interface Entry {
  readonly account: ProviderAccount;
  readonly circuit: CircuitBreaker;
}

/**
 * Finds the accounts that serve a model (design section 7, "Accounts"). Accounts with the same model id form
 * one pool. They take turns, and the accounts after the first are for failover.
 */
export class Accounts {
  #entries: readonly Entry[] = [];
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
  }

  /**
   * The accounts to try, in order, at least one.
   *
   * `model` is `provider/model`, a bare id or an alias. `provider` is the name in `X-Svc-Provider` or in the
   * body: a provider, a type or an account. Errors: `no_route`, `forbidden` if the caller may not use the
   * model, `missing_credentials`, `cloud_sdk_unavailable`, `circuit_open`.
   */
  route(
    wire: Wire,
    model: string,
    provider: string | null,
    mayUse: MayUse = all,
  ): Outcome<readonly Candidate[]> {
    const found = this.#serving(wire, model, provider);
    if (found.length === 0) return this.#noRoute(wire, model, provider, mayUse);
    // A name may stand for several models, and the caller may be allowed only some of them.
    const served = found.filter((candidate) => mayUse(catalogId(candidate), aliasesOf(candidate)));
    if (served.length === 0) return forbiddenModel(model);
    const usable = served.filter(({ account }) => unusable(account) === null);
    const first = served[0];
    if (usable.length === 0 && first !== undefined) {
      return unusable(first.account) ?? this.#noRoute(wire, model, provider, mayUse);
    }
    const closed = usable.filter(({ circuit }) => circuit.admits());
    if (closed.length === 0) return outOfRotation(usable);
    this.#turn = (this.#turn + 1) % Number.MAX_SAFE_INTEGER;
    const start = this.#turn % closed.length;
    return accept([...closed.slice(start), ...closed.slice(0, start)]);
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

  /** Every model that the caller may use, once, by its catalog id, in the order of the accounts. */
  list(mayUse: MayUse = all): readonly ListedModel[] {
    const models = new Map<string, ListedModel>();
    for (const { account } of this.#entries) {
      for (const model of account.models) {
        const id = catalogId({ account, model });
        if (models.has(id) || !mayUse(id, aliasesOf({ model }))) continue;
        models.set(id, { id, provider: account.provider });
      }
    }
    return [...models.values()];
  }

  /** The model that a request with this name would use, on any wire; null if the caller may use none. */
  find(name: string, mayUse: MayUse = all): ListedModel | null {
    const found = this.#meant(this.#entries, name).find((one) =>
      mayUse(catalogId(one), aliasesOf(one)),
    );
    if (found === undefined) return null;
    return { id: catalogId(found), provider: found.account.provider };
  }

  #serving(wire: Wire, model: string, provider: string | null): readonly Candidate[] {
    const asked = provider === null ? this.#entries : this.#named(provider);
    return this.#meant(
      asked.filter(({ account }) => account.wires.includes(wire)),
      model,
    );
  }

  /**
   * Finds who serves a model. If the prefix is the name of a provider or an account, that one is meant:
   * `openai/gpt-5.1` is also OpenRouter's name for the model, and an account of type `openai` may lead
   * anywhere. So an id that itself contains a slash comes second. A type comes last, and only if nothing else
   * has that name.
   */
  #meant(speaking: readonly Entry[], model: string): readonly Candidate[] {
    const slash = model.indexOf("/");
    if (slash < 0) return candidatesFor(speaking, model);
    const prefix = model.slice(0, slash);
    const rest = model.slice(slash + 1);
    const called = candidatesFor(
      speaking.filter(({ account }) => isCalled(account, prefix)),
      rest,
    );
    if (called.length > 0) return called;
    const ofId = candidatesFor(speaking, model);
    if (ofId.length > 0 || this.#entries.some(({ account }) => isCalled(account, prefix))) {
      return ofId;
    }
    return candidatesFor(
      speaking.filter(({ account }) => account.type === prefix),
      rest,
    );
  }

  /** The accounts that a caller means by a name: those with that name, else those of that type. */
  #named(name: string): readonly Entry[] {
    const called = this.#entries.filter(({ account }) => isCalled(account, name));
    return called.length > 0
      ? called
      : this.#entries.filter(({ account }) => account.type === name);
  }

  #noRoute(wire: Wire, model: string, provider: string | null, mayUse: MayUse): Outcome<never> {
    const accounts = this.serving;
    const known = accounts
      .filter(({ wires }) => wires.includes(wire))
      .flatMap((account) =>
        account.models
          .filter((one) => mayUse(catalogId({ account, model: one }), aliasesOf({ model: one })))
          .map(({ id }) => `${account.provider}/${id}`),
      );
    const suggested = nearest(model, known);
    return refuse("no_route", this.#noRouteText(wire, model, provider, mayUse, suggested), {
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
  #noRouteText(
    wire: Wire,
    model: string,
    provider: string | null,
    mayUse: MayUse,
    suggested: readonly string[],
  ): string {
    const path = modelEndpoints.find((endpoint) => endpoint.wire === wire)?.path ?? "";
    const elsewhere = modelEndpoints.find(
      ({ wire: other }) =>
        other !== wire &&
        this.#serving(other, model, provider).some((one) => mayUse(catalogId(one), aliasesOf(one))),
    )?.path;
    const by = provider === null ? "No provider" : `No provider called ${quoted(provider)}`;
    const text = `${by} serves the model ${quoted(model)} on ${path}`;
    if (elsewhere !== undefined) return `${text}; ${elsewhere} serves it.`;
    const names = suggested.slice(0, suggestedInMessageMax);
    if (names.length === 0) return `${text}, and this endpoint has no model that this key may use.`;
    return `${text}. The nearest names are ${names.join(", ")}; GET /v1/models lists all.`;
  }
}

/** A caller's text in a message, which a terminal may show: quoted, and cut if it is long. */
function quoted(name: string): string {
  return JSON.stringify(
    name.length > nameShownCharsMax ? `${name.slice(0, nameShownCharsMax)}…` : name,
  );
}

/** `provider/model`, without the demo provider's parameters. */
export function catalogId({ account, model }: Pick<Candidate, "account" | "model">): string {
  const mark = account.type === "demo" ? model.id.indexOf("?") : -1;
  return `${account.provider}/${mark < 0 ? model.id : model.id.slice(0, mark)}`;
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
  return bare === undefined ? undefined : { id: name, alias: null };
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
