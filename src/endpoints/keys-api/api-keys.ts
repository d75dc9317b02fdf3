import { refuse, refuseParameter } from "../../contract/errors.ts";
import type { ApiKey } from "../../contract/identity.ts";
import { CreateKey, RotateKey, UpdateKey } from "../../contract/keys-api/api-key.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { KeyDraft, KeyRestrictions } from "../../store/embedded/keys/key-record.ts";
import type { Keys } from "../../store/embedded/keys/keys.ts";
import type { Page, PageQuery } from "../../store/page.ts";
import { listAnswer } from "../list-page.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { answered, json, noContent, type Call, type Done } from "./endpoint.ts";
import { manages, type Manager } from "./manager.ts";
import { readSearch, searchKeys } from "./key-search.ts";
import { readPage } from "./page.ts";
import { organizationFor, scopeOf, type FindOrganization } from "./scope.ts";

const createBody = new SchemaReader(CreateKey);
const updateBody = new SchemaReader(UpdateKey);
const rotateBody = new SchemaReader(RotateKey);

/** `/api/v1/gateway/api-keys` (spec: Keys API; design section 7, "Keys"). */
export class ApiKeys {
  readonly #keys: Keys;
  readonly #findOrganization: FindOrganization;
  readonly #clock: Clock;

  constructor(keys: Keys, findOrganization: FindOrganization, clock: Clock) {
    this.#keys = keys;
    this.#findOrganization = findOrganization;
    this.#clock = clock;
  }

  /** Errors: `invalid_request`, `not_found`, `forbidden`. */
  async create({ manager, author, body }: Call): Promise<Outcome<Done>> {
    const read = createBody.read(body);
    if (!read.ok) return read;
    const { orgId, role, name, expiresAt: expiry, ...restrictions } = read.value;
    const owner = this.#ownerOf(manager, orgId);
    if (!owner.ok) return owner;
    const expiresAt = this.#moment(expiry ?? null);
    if (!expiresAt.ok) return expiresAt;
    const draft = draftOf(orgId, role, { ...restrictions, name });
    if (!draft.ok) return draft;
    const newKey = { draft: draft.value, expiresAt: expiresAt.value };
    const created = await this.#keys.create(newKey, author);
    if (!created.ok) return created;
    const { key, secret } = created.value;
    const event = { type: "key.created", id: key.id, orgId } as const;
    return accept({ answer: json({ data: key, key: secret }, 201), event });
  }

  /** Searched and sorted by `q`, `status` and `sort`. Errors: `invalid_request`, `not_found`. */
  async list({ manager, query }: Call, exchange: Exchange): Promise<Outcome<Done>> {
    const search = readSearch(query);
    if (!search.ok) return search;
    const page = readPage(query, search.value === null ? /^key_[0-9a-f]{1,64}$/ : null);
    if (!page.ok) return page;
    const scope = scopeOf(manager, query, this.#findOrganization);
    if (!scope.ok) return scope;
    if (search.value !== null) {
      const isWanted = () => exchange.state === "open";
      const searched = { keys: this.#keys, scope: scope.value, isWanted };
      return answered(searchKeys(searched, search.value, page.value));
    }
    const read = async (part: PageQuery): Promise<Outcome<Page<ApiKey>>> => {
      const listed = await this.#keys.list({ ...part, ...scope.value });
      if (!listed.ok) return listed;
      const { keys: items, nextCursor } = listed.value;
      return accept({ items, nextCursor });
    };
    return answered(listAnswer(page.value, read));
  }

  /** Errors: `not_found`. */
  async get({ manager, id }: Call): Promise<Outcome<Done>> {
    const key = await this.#managed(manager, id);
    return key.ok ? accept({ answer: json({ data: key.value }) }) : key;
  }

  /**
   * Errors: `invalid_request`, `not_found`, `forbidden` for a revoked key and for a key that would take away
   * its own rights.
   */
  async update({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    const read = updateBody.read(body);
    if (!read.ok) return read;
    const before = await this.#managed(manager, id);
    if (!before.ok) return before;
    const { role, expiresAt, ...others } = read.value;
    if (role !== undefined && before.value.role === "operator") {
      return refuseParameter("role", "The role of a platform key can't be changed.");
    }
    const expiry = expiresAt === undefined ? undefined : this.#moment(expiresAt);
    if (expiry?.ok === false) return expiry;
    const ends = expiry?.value !== undefined && endsBefore(expiry.value, before.value.expiresAt);
    if (id === manager.key.id && ((role !== undefined && role !== "admin") || ends))
      return ownRights;
    const change = {
      ...others,
      ...(role === undefined ? {} : { role }),
      ...(expiry === undefined ? {} : { expiresAt: expiry.value }),
    };
    const changed = await this.#keys.update(id, change, author);
    if (!changed.ok) return changed;
    const event = { type: "key.updated", id, orgId: changed.value.orgId } as const;
    return accept({ answer: json({ data: changed.value }), event });
  }

  /** Errors: `invalid_request`, `not_found`, `forbidden` for a revoked key. */
  async rotate({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    const read = rotateBody.read(body);
    if (!read.ok) return read;
    const before = await this.#managed(manager, id);
    if (!before.ok) return before;
    const rotated = await this.#keys.rotate(id, read.value.gracePeriodSeconds ?? 0, author);
    if (!rotated.ok) return rotated;
    const { key, secret, previousExpiresAt } = rotated.value;
    const answer = json({ data: key, key: secret, previousKeyExpiresAt: previousExpiresAt });
    return accept({ answer, event: { type: "key.rotated", id, orgId: key.orgId } });
  }

  /** Idempotent. Errors: `not_found`, `forbidden` for the calling key and the last operator key. */
  async revoke({ manager, author, id }: Call): Promise<Outcome<Done>> {
    const before = await this.#managed(manager, id);
    if (!before.ok) return before;
    if (id === manager.key.id) return ownRights;
    const revoked = await this.#keys.revoke(id, author);
    if (!revoked.ok) return revoked;
    if (before.value.status === "revoked") return accept({ answer: noContent });
    const event = { type: "key.revoked", id, orgId: revoked.value.orgId } as const;
    return accept({ answer: noContent, event });
  }

  /** For an admin, another organization's key does not exist. */
  async #managed(manager: Manager, id: string): Promise<Outcome<ApiKey>> {
    const key = await this.#keys.get(id);
    return key.ok && !manages(manager, key.value.orgId) ? noSuchKey : key;
  }

  #ownerOf(manager: Manager, orgId: string | null): Outcome<unknown> {
    if (orgId !== null) return organizationFor(manager, orgId, this.#findOrganization);
    return manager.orgId === null
      ? accept(null)
      : refuse("forbidden", "Platform keys are made by operators.", {
          details: { param: "orgId" },
        });
  }

  /** In the store's format for moments; must lie in the future. */
  #moment(text: string | null): Outcome<string | null> {
    if (text === null) return accept(null);
    const ms = Date.parse(text);
    if (Number.isNaN(ms) || ms <= this.#clock.wallMs()) {
      return refuseParameter("expiresAt", "/expiresAt must be a moment in the future.");
    }
    return accept(new Date(ms).toISOString());
  }
}

const noSuchKey = refuse("not_found", "There is no such key.");

/** A caller who did this by mistake would have no key left to undo it. */
const ownRights = refuse(
  "forbidden",
  "A key can't revoke itself, end earlier or give up its role; use another key.",
);

function endsBefore(expiresAt: string | null, before: string | null): boolean {
  if (expiresAt === null) return false;
  return before === null || expiresAt < before;
}

function draftOf(
  orgId: string | null,
  role: CreateKey["role"],
  rest: KeyRestrictions & { readonly name: string },
): Outcome<KeyDraft> {
  if (orgId === null) {
    return role === undefined || role === "operator"
      ? accept({ ...rest, orgId, role: "operator" })
      : refuseParameter("role", "A key without an organization is an operator key.");
  }
  return role === "operator"
    ? refuseParameter("role", "An operator key belongs to no organization.")
    : accept({ ...rest, orgId, role: role ?? "member" });
}
