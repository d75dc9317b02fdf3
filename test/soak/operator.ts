import type { Row } from "../support/keys-api.ts";
import { operatorKey } from "./soak-config.ts";
import type { Secrets } from "./client.ts";

/** The two organizations of a run: one calls models and pays providers' charges, one scans. */
export interface Organizations {
  readonly models: string;
  readonly scans: string;
}

const firstTopUpUsd = "100";
const topUpUsd = "1";
/** Longer than any request of a run. */
const graceSeconds = 120;

/** What an operator does meanwhile: sets up, tops up, rotates keys, reads the books. */
export class Operator {
  readonly #origins: { readonly url: string; readonly keysUrl: string };
  readonly #keyIds = new Map<keyof Secrets, string>();
  /** What was topped up, by organization. */
  readonly toppedUpMicroUsd = new Map<string, bigint>();
  rotations = 0;

  constructor(origins: { readonly url: string; readonly keysUrl: string }) {
    this.#origins = origins;
  }

  async setUp(): Promise<{ organizations: Organizations; secrets: Secrets }> {
    const organization = async (name: string): Promise<string> => {
      const { id } = await this.#data("POST", "orgs", { name, plan: "paid" });
      await this.topUp(id, firstTopUpUsd, "first");
      return id;
    };
    const organizations = {
      models: await organization("models"),
      scans: await organization("scans"),
    };
    const { models: orgId } = organizations;
    const { id: policy } = await this.#data("POST", "policies", {
      orgId,
      name: "redacts",
      entities: [{ category: "pii", action: "redact", direction: "both" }],
      customPatterns: [
        { name: "project", regex: "PRJ-[0-9]{1,6}", direction: "both", action: "redact" },
      ],
    });
    return {
      organizations,
      secrets: {
        plain: await this.#key("plain", { orgId }),
        redacted: await this.#key("redacted", { orgId, securityPolicyId: policy }),
        limited: await this.#key("limited", { orgId, rateLimit: 30 }),
        scans: await this.#key("scans", { orgId: organizations.scans }),
      },
    };
  }

  async topUp(orgId: string, amountUsd: string, idempotencyKey: string): Promise<void> {
    await this.#data("POST", `orgs/${orgId}/top-ups`, { amountUsd, idempotencyKey });
    const before = this.toppedUpMicroUsd.get(orgId) ?? 0n;
    this.toppedUpMicroUsd.set(orgId, before + BigInt(amountUsd) * 1_000_000n);
  }

  /** Rotates every key and tops both organizations up, as the run's `round`. */
  async tend({ models, scans }: Organizations, secrets: Secrets, round: number): Promise<void> {
    for (const [name, id] of this.#keyIds) {
      const body = { gracePeriodSeconds: graceSeconds };
      const answer = await this.#call("POST", `api-keys/${id}/rotate`, body);
      secrets[name] = (answer as { readonly key: string }).key;
      this.rotations += 1;
    }
    for (const id of [models, scans]) {
      await this.topUp(id, topUpUsd, `round-${round}`);
      // A second time changes nothing.
      await this.#data("POST", `orgs/${id}/top-ups`, {
        amountUsd: topUpUsd,
        idempotencyKey: `round-${round}`,
      });
    }
  }

  async balance(orgId: string) {
    return (await this.#call("GET", `orgs/${orgId}/balance`)) as {
      readonly balanceUsd: string;
      readonly availableUsd: string;
      readonly holds: number;
    };
  }

  /** Newest first. */
  async ledger(orgId: string): Promise<readonly Row[]> {
    const entries: Row[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page = (await this.#call("GET", `orgs/${orgId}/ledger?limit=1000${more}`)) as {
        readonly data: readonly Row[];
        readonly nextCursor: string | null;
      };
      entries.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return entries;
  }

  async months(orgId: string) {
    const { data } = (await this.#call("GET", `orgs/${orgId}/ledger/months`)) as {
      readonly data: readonly { readonly debitsUsd: string; readonly topUpsUsd: string }[];
    };
    return data;
  }

  /** What the groups of an organization's requests and scans have cost, by the records. */
  async costs(orgId: string, groupBy: string): Promise<readonly string[]> {
    const costs: string[] = [];
    for (const type of ["request", "scan"]) {
      const path = `usage/breakdown?orgId=${orgId}&group_by=${groupBy}&type=${type}`;
      const { data } = (await this.#call("GET", path)) as {
        readonly data: readonly { readonly cost_usd: string }[];
      };
      costs.push(...data.map(({ cost_usd }) => cost_usd));
    }
    return costs;
  }

  /** The audit log's requests and scans of an organization, as maps from column to cell. */
  async records(orgId: string): Promise<readonly Readonly<Record<string, string>>[]> {
    const csv = await this.#text(`${this.#origins.url}/v1/audit/export.csv?orgId=${orgId}`);
    const [head = "", ...lines] = csv.split("\r\n").flatMap((line) => line.split("\n"));
    const columns = head.split(",");
    return lines
      .filter((line) => line !== "")
      .map((line) => {
        const cells = line.split(",");
        return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
      });
  }

  /** Sums over the labels of each metric. */
  async metrics(): Promise<ReadonlyMap<string, number>> {
    const text = await this.#text(`${this.#origins.keysUrl}/metrics`);
    const sums = new Map<string, number>();
    for (const [, name = "", value] of text.matchAll(/^([a-z_]+)(?:\{[^}]*\})? ([-\d.e+]+)$/gm)) {
      sums.set(name, (sums.get(name) ?? 0) + Number(value));
    }
    return sums;
  }

  async #key(name: keyof Secrets, body: Readonly<Record<string, unknown>>): Promise<string> {
    const made = (await this.#call("POST", "api-keys", { name, ...body })) as {
      readonly data: Row;
      readonly key: string;
    };
    this.#keyIds.set(name, made.data.id);
    return made.key;
  }

  async #data(method: string, path: string, body: unknown): Promise<Row> {
    return ((await this.#call(method, path, body)) as { readonly data: Row }).data;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const url = `${this.#origins.keysUrl}/api/v1/gateway/${path}`;
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    return JSON.parse(await this.#text(url, { method, ...init }));
  }

  async #text(url: string, init: RequestInit = {}): Promise<string> {
    const headers = { authorization: `Bearer ${operatorKey}`, "content-type": "application/json" };
    const response = await fetch(url, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`);
    return text;
  }
}
