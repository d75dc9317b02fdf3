import { expect } from "vitest";
import type { BatchStatus } from "../../src/contract/batch.ts";
import { statusOf, submit } from "../endpoints/batch/batch-client.ts";
import { until } from "./bounded.ts";
import type { Caller } from "./clients.ts";
import type { Cluster } from "./cluster.ts";

/** So many that most are still in the queue when something breaks a moment later. */
const itemsPerJob = 150;
const text = "The meeting is on Thursday, and the minutes are in the usual folder. ".repeat(40);

/** Batch jobs of one organization, which gateways take over from each other. */
export class Jobs {
  readonly #cluster: Cluster;
  readonly #caller: Pick<Caller, "orgId" | "secret">;
  /** The last one may still run. */
  readonly #jobs: string[] = [];

  constructor(cluster: Cluster, caller: Pick<Caller, "orgId" | "secret">) {
    this.#cluster = cluster;
    this.#caller = caller;
  }

  /** Begins a job; call it while everything works. */
  async submit(): Promise<void> {
    const items = itemIds.map((id) => ({ id, input: `${id}. ${text}` }));
    const [url = ""] = this.#urls();
    this.#jobs.push(await submit({ url, key: this.#caller.secret }, items));
  }

  /** The job goes on by itself to its end. Each gateway shows the same results, and each item was paid for once. */
  async expectEnded(): Promise<void> {
    const job = this.#jobs.at(-1) ?? "";
    const state = (): Promise<string> => this.#cluster.state();
    const shown: BatchStatus[] = [];
    for (const url of this.#urls()) {
      const isOver = async (): Promise<true | string> => {
        const status = await statusOf({ url, key: this.#caller.secret }, job);
        if (status.completed_at === null) return JSON.stringify(status.counts);
        shown.push(status);
        return true;
      };
      await until(`the job ends at ${url}`, 2 * this.#cluster.fencedMs + 90_000, isOver, state);
    }
    for (const status of shown) expect(status).toEqual(shown[0]);
    const results = shown[0]?.results ?? [];
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual(
      itemIds.map((id) => `${id} completed`),
    );
    const items = this.#jobs.flatMap((one) => itemIds.map((_, i) => `${one}/${i}`));
    expect((await this.#paid()).sort(), "items with debits").toEqual(items.sort());
  }

  /** Items with a debit or a debt, one for each of these. */
  async #paid(): Promise<string[]> {
    const rows = await this.#cluster.query<{ id: string }>(`
      SELECT request_id AS id FROM weir.ledger WHERE type = 'debit' AND org_id = '${this.#caller.orgId}'
      UNION ALL SELECT request_id FROM weir.debt WHERE org_id = '${this.#caller.orgId}'`);
    return rows.map(({ id }) => id);
  }

  /** Of all gateways; whose turn it is comes first. */
  #urls(): readonly string[] {
    const first = this.#cluster.next();
    const all = this.#cluster.nodes.flatMap(({ process }) => (process ? [process] : []));
    return [first, ...all.filter((one) => one !== first)].flatMap((one) => (one ? [one.url] : []));
  }
}

const itemIds = Array.from({ length: itemsPerJob }, (_, i) => `item ${i}`);
