import { expect } from "vitest";
import type { ServedAnswer, Witness } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { Operator } from "./operator.ts";

/** Organizations with a limit each, which holds over all gateways. */
export interface Limited {
  /** Requests a minute of its key. */
  readonly rated: string;
  readonly rateLimit: number;
  /** It has a usage limit of requests, and each round raises it. */
  readonly capped: string;
  /** It has a budget, and each round raises it. */
  readonly budgeted: string;
}

/** Less than what is asked for in a round, so that they are used up; a request may cost up to 0.8 cents. */
const [requestsARound, centsARound] = [6, 1];

/** Raises a usage limit and a budget, and checks that neither they nor a rate limit are ever passed. */
export class Limits {
  readonly #operator: Operator;
  readonly #limited: Limited;
  #limitId = "";
  #raised = 0;

  constructor(operator: Operator, limited: Limited) {
    this.#operator = operator;
    this.#limited = limited;
  }

  /** Until it resolves, either may be in force: the limits of before, or those of now. */
  async raise(): Promise<void> {
    const { capped: orgId, budgeted } = this.#limited;
    this.#raised += 1;
    const budget = { usd: String((centsARound * this.#raised) / 100), window: "month" };
    const threshold = String(requestsARound * this.#raised);
    const raisedBudget = this.#operator.data("PATCH", `orgs/${budgeted}`, { budget });
    if (this.#limitId === "") {
      const limit = { orgId, name: "cap", limitType: "requests", timeWindow: "1 month" };
      const { id } = await this.#operator.data("POST", "usage-limits", { ...limit, threshold });
      this.#limitId = String(id);
    } else {
      await this.#operator.data("PATCH", `usage-limits/${this.#limitId}`, { threshold });
    }
    await raisedBudget;
  }

  /** Call it when nothing moves. Returns how far the limits are used up. */
  async expectKept(cluster: Cluster, witness: Witness): Promise<string> {
    const { rated, rateLimit, capped, budgeted } = this.#limited;
    const servedOf = (id: string): readonly ServedAnswer[] =>
      witness.served.filter(({ orgId }) => orgId === id);
    const most = mostIn60s(servedOf(rated));
    expect(most, "requests in 60 seconds").toBeLessThanOrEqual(rateLimit);
    const requests = servedOf(capped).length;
    expect(requests, "requests of a usage limit").toBeLessThanOrEqual(
      requestsARound * this.#raised,
    );
    const [row] = await cluster.query<{ micro_usd: string }>(
      `SELECT (coalesce((SELECT sum(amount) FROM weir.ledger WHERE type = 'debit' AND org_id = '${budgeted}'), 0)
        + coalesce((SELECT sum(cost) FROM weir.debt WHERE org_id = '${budgeted}'), 0))::text AS micro_usd`,
    );
    const spent = Number(row?.micro_usd);
    expect(spent, "spending of a budget").toBeLessThanOrEqual(centsARound * this.#raised * 10_000);
    const { budget } = await this.#operator.data("GET", `orgs/${budgeted}/budget`);
    const used = Math.round(Number((budget as { readonly usedUsd: string }).usedUsd) * 1e6);
    // What a killed gateway had of it counts as used.
    expect(used, "what a budget has counted").toBeGreaterThanOrEqual(spent);
    if (cluster.kills === 0) expect(used).toBeLessThanOrEqual(centsARound * this.#raised * 10_000);
    const told = `${most} of ${rateLimit} in 60 s, ${requests} of ${requestsARound * this.#raised} requests`;
    return `${told}, ${spent / 1e4} of ${centsARound * this.#raised} cents`;
  }
}

/** The most requests that began and ended in the same 60 seconds. */
function mostIn60s(served: readonly ServedAnswer[]): number {
  const within = (beginMs: number): number =>
    served.filter(({ sentMs, gotMs }) => sentMs >= beginMs && gotMs < beginMs + 60_000).length;
  return Math.max(0, ...served.map(({ sentMs }) => within(sentMs)));
}
