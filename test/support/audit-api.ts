import { expect } from "vitest";
import type { AuditEventRow, AuditProof } from "../../src/contract/audit-api.ts";
import { answerFaults } from "../openapi/described-api.ts";
import type { TestGateway } from "./gateway.ts";

/** Calls `/v1/audit` with one key, and checks every answer against the OpenAPI document. */
export class AuditApi {
  readonly #gateway: Pick<TestGateway, "url" | "operatorKey">;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(gateway: Pick<TestGateway, "url" | "operatorKey">, secret = gateway.operatorKey) {
    this.#gateway = gateway;
    this.#headers = { authorization: `Bearer ${secret}` };
  }

  async call(path: string, method = "GET", headers = this.#headers): Promise<Response> {
    const response = await fetch(`${this.#gateway.url}/v1/audit/${path}`, { method, headers });
    const template = `/v1/audit/${path.replace(/\?.*$/s, "").replace(/^events\/[^/]+/, "events/{index}")}`;
    expect(await answerFaults(method, template, response.clone())).toEqual([]);
    return response;
  }

  async json(path: string): Promise<unknown> {
    const response = await this.call(path);
    expect(response.status).toBe(200);
    return response.json();
  }

  async text(path: string): Promise<string> {
    const response = await this.call(path);
    expect(response.status).toBe(200);
    return response.text();
  }

  /** Status, code and `param` of a refusal. */
  async refusal(path: string, method = "GET"): Promise<readonly unknown[]> {
    const response = await this.call(path, method);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    return [response.status, error["code"], error["param"]];
  }

  /** All pages of a list. `query` is empty or ends in `&`. */
  async events(query = ""): Promise<readonly AuditEventRow[]> {
    const events: AuditEventRow[] = [];
    let cursor = "";
    for (;;) {
      const page = (await this.json(`events?${query}limit=1000${cursor}`)) as {
        readonly data: readonly AuditEventRow[];
        readonly nextCursor: string | null;
      };
      events.push(...page.data);
      if (page.nextCursor === null) return events;
      cursor = `&cursor=${page.nextCursor}`;
    }
  }

  /** Waits for the event of a request, which is recorded after the answer was sent. */
  async eventOf(requestId: string): Promise<AuditEventRow> {
    for (;;) {
      const events = await this.events(`request_id=${requestId}&`);
      const found = events.find(({ event_type }) => /^(request|scan)\./.test(event_type));
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async proof(index: number): Promise<AuditProof> {
    return (await this.json(`events/${index}/proof`)) as AuditProof;
  }
}
