import { CreateOrg, UpdateOrg } from "../../contract/keys-api/organization.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import { SchemaReader } from "../../contract/schema-reader.ts";
import type { Ledger } from "../../store/ledger/ledger.ts";
import type { Organizations } from "../../store/embedded/organizations.ts";
import { listAnswer } from "../list-page.ts";
import { answered, json, type Call, type Done } from "./endpoint.ts";
import { operatorOnly } from "./manager.ts";
import { readPage } from "./page.ts";
import { organizationFor, type FindOrganization } from "./scope.ts";

const createBody = new SchemaReader(CreateOrg);
const updateBody = new SchemaReader(UpdateOrg);

/** `/api/v1/gateway/orgs`. Admins may read their own organization; everything else is for operators. */
export class OrganizationEndpoints {
  readonly #organizations: Organizations;
  readonly #ledger: Ledger;
  readonly #find: FindOrganization;

  constructor(organizations: Organizations, ledger: Ledger) {
    this.#organizations = organizations;
    this.#ledger = ledger;
    this.#find = (id) => organizations.find(id);
  }

  /** Errors: `forbidden`, `invalid_request`, `duplicate_entry`, `internal_error`. */
  async create({ manager, author, body }: Call): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const read = createBody.read(body);
    if (!read.ok) return read;
    const created = await this.#organizations.create(read.value, author);
    if (!created.ok) return created;
    const { id } = created.value;
    // A crash before this leaves an organization without an account; its first top-up then opens one.
    const opened = await this.#ledger.openAccount(id);
    if (!opened.ok) return opened;
    const event = { type: "organization.created", id, orgId: id } as const;
    return accept({ answer: json({ data: created.value }, 201), event });
  }

  /** Errors: `invalid_request`. */
  async list({ manager, query }: Call): Promise<Outcome<Done>> {
    const page = readPage(query, /^org_[0-9a-f]{1,64}$/);
    if (!page.ok) return page;
    if (manager.orgId !== null) {
      const own = organizationFor(manager, manager.orgId, this.#find);
      const items = own.ok && page.value.cursor === null ? [own.value] : [];
      return accept({ answer: json({ data: items, nextCursor: null }) });
    }
    return answered(listAnswer(page.value, (part) => this.#organizations.list(part)));
  }

  /** Errors: `not_found`. */
  get({ manager, id }: Call): Outcome<Done> {
    const found = organizationFor(manager, id, this.#find);
    return found.ok ? accept({ answer: json({ data: found.value }) }) : found;
  }

  /** Errors: `forbidden`, `invalid_request`, `not_found`, `duplicate_entry`. */
  async update({ manager, author, id, body }: Call): Promise<Outcome<Done>> {
    const allowed = operatorOnly(manager);
    if (!allowed.ok) return allowed;
    const read = updateBody.read(body);
    if (!read.ok) return read;
    const changed = await this.#organizations.update(id, read.value, author);
    if (!changed.ok) return changed;
    const event = { type: "organization.updated", id, orgId: id } as const;
    return accept({ answer: json({ data: changed.value }), event });
  }
}
