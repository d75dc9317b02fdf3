import { expect } from "vitest";
import { answerFaults } from "../openapi/described-api.ts";
import type { TestGateway } from "./gateway.ts";

/** An answer of the keys API with its parsed body; null if there is none. */
export interface KeysApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A row of the API, with the members that tests read without knowing its kind. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Calls the keys API with one key, and checks every answer against the OpenAPI document. */
export class KeysApi {
  readonly #gateway: Pick<TestGateway, "keysUrl" | "operatorKey">;
  readonly #secret: string;

  constructor(gateway: Pick<TestGateway, "keysUrl" | "operatorKey">, secret = gateway.operatorKey) {
    this.#gateway = gateway;
    this.#secret = secret;
  }

  /** The same API for another key. */
  as(secret: string): KeysApi {
    return new KeysApi(this.#gateway, secret);
  }

  async call(method: string, path: string, body?: unknown): Promise<KeysApiAnswer> {
    const response = await fetch(`${this.#gateway.keysUrl}/api/v1/gateway/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}` },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.clone().text();
    expect(await answerFaults(method, template(path), response)).toEqual([]);
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : (JSON.parse(text) as Readonly<Record<string, unknown>>),
    };
  }

  /** The `data` of an answer that must have this status. */
  async data(status: number, method: string, path: string, body?: unknown): Promise<Row> {
    const answer = await this.call(method, path, body);
    expect(answer).toMatchObject({ status });
    return answer.body?.["data"] as Row;
  }

  /** Status, code and `param` of a refusal. */
  async refusal(method: string, path: string, body?: unknown): Promise<readonly unknown[]> {
    const { status, body: envelope } = await this.call(method, path, body);
    const error = envelope?.["error"] as Readonly<Record<string, unknown>> | undefined;
    return [status, error?.["code"], error?.["param"]];
  }

  /** A new key with its secret. */
  async key(body: Readonly<Record<string, unknown>>): Promise<{ key: Row; secret: string }> {
    const answer = await this.call("POST", "api-keys", { name: "k", ...body });
    expect(answer).toMatchObject({ status: 201 });
    return { key: answer.body?.["data"] as Row, secret: answer.body?.["key"] as string };
  }

  /** A new key under a new policy of its own. */
  async ruledKey(orgId: string, policy: object): Promise<{ secret: string; policyId: string }> {
    const name = `p${Math.random()}`;
    const { id } = await this.data(201, "POST", "policies", { orgId, name, ...policy });
    const { secret } = await this.key({ orgId, securityPolicyId: id });
    return { secret, policyId: id };
  }

  /** The ids of a list, page by page. `path` has a query already. */
  async pages(path: string): Promise<readonly (readonly string[])[]> {
    const pages: (readonly string[])[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await this.call("GET", cursor === null ? path : `${path}&cursor=${cursor}`);
      pages.push((body?.["data"] as Row[]).map((row) => row.id));
      cursor = body?.["nextCursor"] as string | null;
    } while (cursor !== null);
    return pages;
  }

  /** The organization of the first start, which has a balance. */
  async firstOrganization(): Promise<string> {
    const { body } = await this.call("GET", "orgs?limit=1");
    return (body?.["data"] as Row[])[0]?.id ?? "";
  }

  /** A new organization with its first admin. */
  async organization(name: string, more: Readonly<Record<string, unknown>> = {}) {
    const { id } = await this.data(201, "POST", "orgs", { name, plan: "paid", ...more });
    const admin = await this.key({ orgId: id, role: "admin" });
    return { id, admin: admin.key, asAdmin: this.as(admin.secret) };
  }
}

/** The document's path: `/api/v1/gateway/api-keys/{id}/rotate`. */
function template(path: string): string {
  // These have no id behind their first word.
  if (/^(records|usage)\//.test(path)) return `/api/v1/gateway/${path.replace(/\?.*$/s, "")}`;
  const [collection, id, ...rest] = path.replace(/\?.*$/s, "").split("/");
  return ["/api/v1/gateway", collection, ...(id === undefined ? [] : ["{id}"]), ...rest].join("/");
}
