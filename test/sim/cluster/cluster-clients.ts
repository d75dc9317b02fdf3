import { microUsd } from "../../../src/contract/money.ts";
import type { Hold } from "../../../src/store/ledger/ledger.ts";
import type { AlongsideOperation } from "../../../src/store/ledger/ledger.ts";
import { JournalClosed } from "../../../src/store/journal/journal.ts";
import { textOf } from "../text-of.ts";
import { consumeRates, reserveUsage } from "../../../src/store/windows/granted-limits.ts";
import type {
  ReservedUsage,
  UsageAmounts,
  UsageCap,
} from "../../../src/store/windows/usage-windows.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import type { GatewayProcess } from "./gateway-process.ts";

/** Requests, operators and batch jobs, all through the gateways. */
export class ClusterClients {
  readonly #world: ClusterWorld;

  constructor(world: ClusterWorld) {
    this.#world = world;
  }

  /** The limits of an organization. They are the same at all times. */
  rateOf(orgId: string): { readonly id: string; readonly limit: number } {
    return { id: `rate ${orgId}`.replace(" ", "-"), limit: rateLimits[orgId] ?? 10 };
  }

  capsOf(orgId: string): readonly UsageCap[] {
    const n = BigInt(this.#world.organizations.indexOf(orgId) + 1);
    return [
      cap(`budget ${orgId}`, "cost", 900_000n * n, true),
      cap(`requests ${orgId}`, "requests", 40n * n, false),
      cap(`cost ${orgId}`, "cost", 700_000n * n, false),
    ];
  }

  /** A request that only rate limits stop, or one that costs money. */
  send(at: GatewayProcess, orgId: string, kind: "free" | "paid"): void {
    const sent = kind === "free" ? this.#free(at, orgId) : this.paid(at, orgId);
    sent.catch((error: unknown) => {
      // A gateway that stops does not wait for long answers for ever.
      if (!(error instanceof JournalClosed)) this.#world.oracle.fail(textOf(error));
    });
  }

  async #free(at: GatewayProcess, orgId: string): Promise<void> {
    if (!this.#begins(at)) return;
    const takenMs = await this.#rates(at, orgId);
    // Whoever waits for a grant looks at the lease again.
    if (takenMs === null || at.lease.isOver) return;
    this.#world.oracle.called(at, orgId, takenMs);
  }

  /** A request that costs money. `item`: of a batch job. */
  async paid(
    at: GatewayProcess,
    orgId: string,
    item: { readonly jobId: string; readonly index: number } | null = null,
  ): Promise<void> {
    const { random, oracle, time } = this.#world;
    if (!this.#begins(at)) return;
    const requestId = this.#world.newId(item === null ? orgId : `${item.jobId}-${item.index}`);
    const estimate = BigInt(random.integer(0, random.pick(30_000, 300_000)));
    const takenMs = item === null ? await this.#rates(at, orgId) : time.nowMs;
    if (takenMs === null) return;
    const worst = { costMicroUsd: estimate, tokens: 10n, requests: 1n };
    const caps = random.chance(0.7) ? this.capsOf(orgId) : [];
    const reserved = await reserveUsage(at.usage, caps, worst, at.limits);
    if (!reserved.admitted) return this.#world.count("over a cap");
    let isLive = true;
    const held = await at.ledger.hold({
      ...{ requestId, orgId, by, estimate: microUsd(estimate), isLive: () => isLive },
    });
    if (!held.ok) {
      this.#world.count(held.refusal.code);
      at.usage.release(reserved.reservation);
      return;
    }
    oracle.called(at, orgId, item === null ? takenMs : null);
    await new Promise((resolve) => setTimeout(resolve, this.#callMs()));
    isLive = false;
    const hold = { hold: held.value, reservation: reserved.reservation, worst, caps };
    if (random.chance(0.15)) this.#giveUp(at, hold);
    else await this.#settle(at, hold, item);
  }

  /** Tops an account up, or corrects it, and tries again with the same key until it is told what came of it. */
  operate(orgId: string, type: "top_up" | "correction", amount: bigint): void {
    const { oracle, time } = this.#world;
    const idempotencyKey = this.#world.newId("operator");
    oracle.operations.set(idempotencyKey, { orgId, amount, isAcknowledged: false });
    const tryAt = (): void => {
      const at = this.#world.anyProcess();
      if (at === null) return time.after(1_000, tryAt);
      let isAnswered = false;
      at.machine.plan(0, () => {
        void at.ledger
          .topUp({ orgId, type, amount: microUsd(amount), idempotencyKey })
          .then((entry) => {
            isAnswered = true;
            if (entry.ok) oracle.operated(idempotencyKey);
            else if (entry.refusal.code === "detector_unavailable") time.after(500, tryAt);
            else this.#world.count(`operator ${entry.refusal.code}`);
          });
      });
      // The gateway may be gone by then.
      time.after(40_000, () => {
        if (!isAnswered) tryAt();
        isAnswered = true;
      });
    };
    tryAt();
  }

  #begins(at: GatewayProcess): boolean {
    if (at.isStopping) return false;
    if (at.lease.isOver) {
      this.#world.count("lease over");
      return false;
    }
    this.#world.oracle.begun(at);
    return true;
  }

  /** When its units were taken. null: it was refused. */
  async #rates(at: GatewayProcess, orgId: string): Promise<number | null> {
    const { id, limit } = this.rateOf(orgId);
    const decided = await consumeRates(at.rates, [{ id, limit }], at.limits, "rates");
    if (!decided.admitted) {
      this.#world.count(decided.refusedAt === null ? "limits away" : "over a rate");
      return null;
    }
    return this.#world.time.nowMs;
  }

  /** Most answers come soon. */
  #callMs(): number {
    const { random } = this.#world;
    return random.chance(0.1) ? random.between(0, 40_000) : random.between(5, 1_500);
  }

  #giveUp(at: GatewayProcess, { hold, reservation }: Held): void {
    this.#world.count("released");
    at.ledger.release(hold, []);
    at.usage.release(reservation);
  }

  async #settle(
    at: GatewayProcess,
    { hold, reservation, worst, caps }: Held,
    item: { readonly jobId: string; readonly index: number } | null,
  ): Promise<void> {
    const { random, oracle, weather } = this.#world;
    const { requestId, orgId, amount } = hold;
    const part = random.chance(weather.excess) ? random.integer(100, 250) : random.integer(0, 100);
    const cost = (amount * BigInt(part)) / 100n;
    const used: UsageAmounts = { ...worst, costMicroUsd: cost };
    const counted = at.usage.settle(reservation, used);
    const alongside: AlongsideOperation[] = counted === null ? [] : [counted];
    if (item !== null) {
      alongside.push({
        ...{ kind: "jobItemEnd", ...item, status: "completed" as const, result: "{}", atMs: 0 },
      });
    }
    const charge = { cost: microUsd(cost), catalogVersion: "v1", usage: { uncachedInput: 1 } };
    const settlement = at.ledger.settle(hold, charge, [], alongside);
    oracle.served({ requestId, orgId, cost, item, at, caps, worst, used });
    if (await settlement.durable()) oracle.acknowledged(requestId);
  }
}

interface Held {
  readonly hold: Hold;
  readonly reservation: ReservedUsage;
  readonly worst: UsageAmounts;
  readonly caps: readonly UsageCap[];
}

const by = { apiKeyId: "key_1", team: null };

const rateLimits: Readonly<Record<string, number>> = { "org-1": 12, "org-2": 40, "org-3": 200 };

function cap(id: string, type: UsageCap["type"], threshold: bigint, hard: boolean): UsageCap {
  return { id, type, window: "hour", threshold, hard };
}
