import type { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { microUsd, zeroUsd, type MicroUsd } from "../../../src/contract/money.ts";
import {
  SharedFunctions,
  type Flush,
  type FlushedDebit,
} from "../../../src/store/shared/functions.ts";
import { Random } from "../../sim/random.ts";
import { describeWithPostgres, TestDatabase } from "./database.ts";
import { assertSquare, eventsOf, logOf } from "./reads.ts";

const orgs = ["org_a", "org_b", "org_c", "org_d"] as const;
const by = { apiKeyId: "key_1", team: null };
const bounds = { balanceMax: 10n ** 18n, debtsMax: 10 };

/** What the clients of all gateways were told, which the books must have. */
interface Told {
  readonly debits: Set<string>;
  readonly lines: Set<string>;
  fenced: number;
  grants: number;
}

/**
 * A gateway that does all at once: it holds and settles, asks for allowances, flushes, loses answers, stands still, and is
 * taken for dead by others. It follows the rules of docs/decisions/0060-the-shared-store.md: its own allowance is raised after a grant was
 * committed, and lowered before a return is sent.
 */
class StormyGateway {
  readonly #name: string;
  readonly #random: Random;
  readonly #connections: readonly [flushes: SharedFunctions, grants: SharedFunctions];
  readonly #told: Told;
  id = 0;
  seq = 0;
  #conn = 0;
  #allowance = new Map<string, bigint>();
  /** By request. */
  readonly #holds = new Map<string, { orgId: string; amount: bigint; isWritten: boolean }>();
  #debits: FlushedDebit[] = [];
  #lines: string[] = [];
  /** Requests whose hold was written and has ended. */
  #ended: string[] = [];
  #requests = 0;

  constructor(
    name: string,
    seed: number,
    connections: readonly [SharedFunctions, SharedFunctions],
    told: Told,
  ) {
    this.#name = name;
    this.#random = new Random(seed);
    this.#connections = connections;
    this.#told = told;
  }

  async run(steps: number, others: readonly StormyGateway[]): Promise<void> {
    await this.#join();
    const flushing = this.#flushes(steps);
    for (let step = 0; step < steps; step += 1) {
      const what = this.#random.next();
      if (what < 0.5) await this.#hold();
      else if (what < 0.9) this.#settle();
      else if (what < 0.94) await this.#topUp();
      else if (what < 0.97) await this.#connections[1].sequenceRuns(100);
      else await this.#fence(others[this.#random.integer(0, others.length - 1)]);
    }
    await flushing;
    await this.#flush();
  }

  async #join(): Promise<void> {
    this.id = await this.#connections[0].join(this.#name, "1", "hash");
    this.seq = 0;
    this.#conn = 1;
    this.#allowance = new Map();
    // What was served under the id before is debited under this one, out of what is free.
    this.#debits = this.#debits.map((debit) => ({ ...debit, paid: zeroUsd }));
    this.#holds.clear();
    await this.#connections[1].hello(this.id, this.#conn);
  }

  #free(orgId: string): bigint {
    let free = this.#allowance.get(orgId) ?? 0n;
    for (const hold of this.#holds.values()) if (hold.orgId === orgId) free -= hold.amount;
    for (const debit of this.#debits) if (debit.orgId === orgId) free -= debit.paid;
    return free;
  }

  #raise(orgId: string, amount: bigint): void {
    this.#allowance.set(orgId, (this.#allowance.get(orgId) ?? 0n) + amount);
  }

  async #hold(): Promise<void> {
    const orgId = this.#random.pick(...orgs);
    const estimate = BigInt(this.#random.integer(1, 400_000));
    const missing = estimate - this.#free(orgId);
    if (missing > 0n) {
      const [id, grants] = [this.id, this.#connections[1]];
      const need = microUsd(missing);
      const reply = await grants.grantMoney(id, this.#conn, orgId, need, microUsd(1_000_000n));
      if (this.id !== id || reply.outcome !== "granted") return;
      this.#told.grants += 1;
      this.#raise(orgId, reply.amount);
      if (this.#free(orgId) < estimate) return;
    }
    this.#requests += 1;
    const requestId = `${this.#name}-${this.#requests}`;
    this.#holds.set(requestId, { orgId, amount: estimate, isWritten: false });
  }

  #settle(): void {
    const [first] = [...this.#holds].slice(this.#random.integer(0, this.#holds.size - 1));
    if (first === undefined) return;
    const [requestId, { orgId, amount, isWritten }] = first;
    this.#holds.delete(requestId);
    if (isWritten) this.#ended.push(requestId);
    this.#lines.push(`{"request":"${requestId}"}`);
    if (this.#random.chance(0.1)) return;
    const cost = (amount * BigInt(this.#random.integer(1, 150))) / 100n + 1n;
    const free = this.#free(orgId);
    const paid = microUsd(cost < free ? cost : free);
    const at = "2026-11-22T10:00:00.000Z";
    this.#debits.push({ orgId, requestId, by, cost: microUsd(cost), paid, at, detail: null });
  }

  async #flushes(steps: number): Promise<void> {
    for (let i = 0; i < steps / 8; i += 1) {
      await this.#flush();
      // A gateway that stands still for a while.
      if (this.#random.chance(0.1)) await new Promise((resolve) => setTimeout(resolve, 20));
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #flush(): Promise<void> {
    const [debits, lines, unholds] = [this.#debits, this.#lines, this.#ended];
    const written = [...this.#holds].filter(([, hold]) => !hold.isWritten);
    const holds = written.map(([requestId, { orgId, amount }]) => {
      return { requestId, orgId, amount: microUsd(amount), by };
    });
    for (const [, hold] of written) hold.isWritten = true;
    const returns = orgs.flatMap((orgId) => {
      const free = this.#free(orgId);
      if (free <= 0n || !this.#random.chance(0.2)) return [];
      this.#raise(orgId, -free);
      return [{ orgId, amount: microUsd(free) }];
    });
    this.#debits = [];
    this.#lines = [];
    this.#ended = [];
    for (const { orgId, paid } of debits) this.#raise(orgId, 0n - paid);
    const flush: Flush = {
      ...{ seq: this.seq + 1, configSeq: 0, unholds, holds, debits, returns },
      ...{ usage: [], rateReturns: [] },
      events: eventsOf(lines),
      operations: null,
    };
    const [flushes] = this.#connections;
    let reply = await flushes.flush(this.id, flush);
    // The answer was lost, perhaps for so long that the others gave this gateway up.
    if (this.#random.chance(0.2)) {
      if (this.#random.chance(0.3)) await this.#fence(this);
      reply = await flushes.flush(this.id, flush);
    }
    if (reply.outcome === "gap") throw new Error("a flush is missing");
    const last = reply.outcome === "fenced" ? reply.last : reply;
    if (last?.seq === flush.seq) {
      this.seq = flush.seq;
      const unmoved = new Set([...last.owed, ...last.refused]);
      for (const { requestId, orgId, paid } of debits) {
        // What was not moved is in the escrow still.
        if (unmoved.has(requestId)) this.#raise(orgId, paid);
        this.#told.debits.add(requestId);
      }
      for (const line of lines) this.#told.lines.add(line);
    } else {
      this.#debits = [...debits, ...this.#debits];
      this.#lines = [...lines, ...this.#lines];
    }
    if (reply.outcome === "fenced") {
      this.#told.fenced += 1;
      await this.#join();
    }
  }

  async #topUp(): Promise<void> {
    const orgId = this.#random.pick(...orgs);
    const amount: MicroUsd = microUsd(BigInt(this.#random.integer(1, 2_000_000)));
    this.#requests += 1;
    const key = `top-up-${this.#name}-${this.#requests}`;
    await this.#connections[1].topUp(orgId, "top_up", amount, key, bounds);
  }

  /** As a gateway that has watched another one stand still for long enough. */
  async #fence(other: StormyGateway | undefined): Promise<void> {
    const [, watching] = this.#connections;
    const seen = (await watching.liveGateways()).find(({ id }) => id === other?.id);
    if (seen !== undefined) await watching.end(seen.id, seen.seq, "fenced");
  }
}

describeWithPostgres("gateways that do everything at once", () => {
  const database = new TestDatabase();
  beforeEach(() => database.empty());

  test.each([1, 2, 3])(
    "the books square, nothing is lost or doubled, nobody waits in a circle: seed %i",
    async (seed) => {
      const client = await database.connect();
      const setUp = new SharedFunctions(client);
      for (const orgId of orgs) {
        await setUp.topUp(orgId, "top_up", microUsd(3_000_000n), "first", bounds);
      }
      const told: Told = { debits: new Set(), lines: new Set(), fenced: 0, grants: 0 };
      const gateways: StormyGateway[] = [];
      for (const name of ["a", "b", "c", "d"]) {
        const connect = async () => new SharedFunctions(await database.connect());
        const connections = [await connect(), await connect()] as const;
        gateways.push(new StormyGateway(name, seed * 100 + gateways.length, connections, told));
      }
      await Promise.all(gateways.map((gateway) => gateway.run(250, gateways)));
      while ((await setUp.sequenceRuns(1_000)) === null);
      await assertSquare(client);
      await assertTold(client, told);
      expect(told.fenced).toBeGreaterThan(0);
      expect(told.grants).toBeGreaterThan(0);
      const { rows } = await client.query<{ deadlocks: string }>(
        "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
      );
      expect(rows).toEqual([{ deadlocks: "0" }]);
    },
  );
});

/** Every debit that was told is in the books once, and every line in the log once. */
async function assertTold(client: Client, told: Told): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT idempotency_key AS id FROM weir.ledger WHERE type = 'debit'
     UNION ALL SELECT request_id FROM weir.debt`,
  );
  const known = rows.map(({ id }) => id);
  expect(new Set(known).size).toBe(known.length);
  expect([...told.debits].filter((id) => !known.includes(id))).toEqual([]);
  const log = (await logOf(client)).filter((line) => line.startsWith('{"request"'));
  expect(new Set(log).size).toBe(log.length);
  expect([...told.lines].filter((line) => !log.includes(line))).toEqual([]);
}
