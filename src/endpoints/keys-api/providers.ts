import type { FileAccounts, ProviderAccount } from "../../contract/account.ts";
import { ProviderEntry } from "../../contract/configuration-provider.ts";
import { refuse } from "../../contract/errors.ts";
import { UpdateProvider, type Provider } from "../../contract/keys-api/provider.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import {
  nameTaken,
  noSuchProvider,
  type Providers,
  type StoredProvider,
} from "../../store/embedded/providers.ts";
import {
  resolveEntry,
  resolveStored,
  servingAccounts,
  type ResolveEntry,
} from "../../pipeline/routing/provider-accounts.ts";
import { listAnswer } from "../list-page.ts";
import { answered, json, noContent, type Call, type Done } from "./endpoint.ts";
import { operatorOnly } from "./manager.ts";
import { healthOf, type FindHealth } from "./provider-health.ts";
import { readPage } from "./page.ts";

const entryBody = new SchemaReader(ProviderEntry);
const updateBody = new SchemaReader(UpdateProvider);

/**
 * `/api/v1/gateway/providers`, for operators. An account's id is its name. The file's accounts are shown but
 * can't be changed.
 */
export class ProviderEndpoints {
  readonly #providers: Providers;
  readonly #file: FileAccounts;
  readonly #fileNames: ReadonlySet<string>;
  readonly #resolve: ResolveEntry;
  readonly #findHealth: FindHealth;

  constructor(
    providers: Providers,
    file: FileAccounts,
    resolve: ResolveEntry,
    findHealth: FindHealth,
  ) {
    this.#providers = providers;
    this.#findHealth = findHealth;
    this.#file = file;
    this.#fileNames = new Set(file.accounts.map(({ name }) => name));
    this.#resolve = resolve;
  }

  /** Errors: `forbidden`, `invalid_request`, `duplicate_entry`. */
  async create({ manager, author, body }: Call): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const read = entryBody.read(body);
    if (!read.ok) return read;
    const entry = read.value;
    const account = resolveEntry(entry, this.#resolve);
    if (!account.ok) return account;
    if (this.#fileNames.has(entry.name)) return nameTaken;
    const created = await this.#providers.create(entry, author);
    if (!created.ok) return created;
    const event = { type: "provider.created", id: entry.name, orgId: null } as const;
    const data = shownStored(account.value, created.value);
    return accept({ answer: json({ data }, 201), event });
  }

  /** Sorted by name. Errors: `forbidden`, `invalid_request`. */
  async list({ manager, query }: Call): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const page = readPage(query, /^[a-z0-9_-]{1,64}$/);
    if (!page.ok) return page;
    const all = this.#all();
    const read = ({ limit, cursor }: PageQuery): Outcome<Page<Provider>> => {
      const rows = all.filter(({ name }) => cursor === null || name > cursor);
      const items = rows.slice(0, limit);
      return accept({
        items,
        nextCursor: rows.length > limit ? (items.at(-1)?.name ?? null) : null,
      });
    };
    return answered(listAnswer(page.value, read));
  }

  /** Errors: `forbidden`, `not_found`. */
  get({ manager, id }: Call): Outcome<Done> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const found = this.#all().find(({ name }) => name === id);
    return found === undefined ? noSuchProvider : accept({ answer: json({ data: found }) });
  }

  /** Errors: `forbidden`, `not_found`. */
  async health({ manager, id }: Call): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    if (!this.#all().some(({ name }) => name === id)) return noSuchProvider;
    return accept({ answer: json({ data: healthOf(id, await this.#findHealth(id)) }) });
  }

  /** Errors: `forbidden`, also for the file's accounts; `invalid_request`, `not_found`. */
  async update({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    const allowed = this.#changeable(operatorOnly(manager), id);
    if (!allowed.ok) return allowed;
    const read = updateBody.read(body);
    if (!read.ok) return read;
    const change = (before: ProviderEntry): Outcome<ProviderEntry> => {
      const entry = entryBody.read(updated(before, read.value));
      if (!entry.ok) return entry;
      const account = resolveEntry(entry.value, this.#resolve);
      return account.ok ? entry : account;
    };
    const changed = await this.#providers.update(id, change, author);
    if (!changed.ok) return changed;
    const event = { type: "provider.updated", id, orgId: null } as const;
    return accept({ answer: json({ data: this.#shown(changed.value)[0] ?? null }), event });
  }

  /** Running requests finish. Errors: `forbidden`, also for the file's accounts; `not_found`. */
  async remove({ manager, author, id }: Call): Promise<Outcome<Done>> {
    const allowed = this.#changeable(operatorOnly(manager), id);
    if (!allowed.ok) return allowed;
    const removed = await this.#providers.remove(id, author);
    if (!removed.ok) return removed;
    return accept({ answer: noContent, event: { type: "provider.deleted", id, orgId: null } });
  }

  #changeable(allowed: Outcome<null>, name: string): Outcome<null> {
    return allowed.ok && this.#fileNames.has(name) ? readOnly : allowed;
  }

  #all(): readonly Provider[] {
    const { ofFile, ofApi } = servingAccounts(this.#file, this.#providers.all());
    const rows = [...ofFile.map(shownOfFile), ...ofApi.flatMap((stored) => this.#shown(stored))];
    return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  #shown(stored: StoredProvider): readonly Provider[] {
    return resolveStored(stored.entry, this.#resolve).map((account) =>
      shownStored(account, stored),
    );
  }
}

const readOnly = refuse("forbidden", "This account is in the configuration file: change it there.");

/** The account as it is shown, never with the credential itself. */
function shownAccount(account: ProviderAccount) {
  const { name, provider, type, origin, basePath, apiPath, credential, credentialHeader } = account;
  const { wires, models, orgId, timeoutsMs, responseBytesMax } = account;
  return {
    name,
    provider,
    type,
    // The address of the built-in provider is internal.
    baseUrl: origin === "" || type === "demo" ? null : origin + basePath,
    apiPath,
    query: Object.fromEntries(new URLSearchParams(account.query)),
    credentialHeader,
    wires: [...wires],
    credential: credential === null ? "none" : credential === undefined ? "missing" : "set",
    models: models.map(({ id, alias, priority, weight }) => ({ id, alias, priority, weight })),
    orgId,
    timeoutsMs,
    responseBytesMax,
  } satisfies Partial<Provider>;
}

function shownOfFile(account: ProviderAccount): Provider {
  const others = { apiKey: null, source: "file", createdAt: null, updatedAt: null } as const;
  return { ...shownAccount(account), ...others };
}

function shownStored(account: ProviderAccount, stored: StoredProvider): Provider {
  const { entry, createdAt, updatedAt } = stored;
  const others = { apiKey: entry.apiKey ?? null, source: "api", createdAt, updatedAt } as const;
  return { ...shownAccount(account), ...others };
}

/** A member that the update leaves out stays as it was, also inside the timeouts. */
function updated(before: ProviderEntry, update: UpdateProvider): object {
  const { timeoutsMs } = update;
  const waits = timeoutsMs && { ...before.timeoutsMs, ...timeoutsMs };
  const after = { ...before, ...update, ...(waits ? { timeoutsMs: waits } : {}) };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
}
