import type { UsageAmounts, UsageCap } from "../../../src/store/windows/usage-windows.ts";
import { amountOf } from "../../../src/store/windows/usage-amount.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import type { Done } from "./shared-server.ts";

/** A request that was answered. */
export interface Served {
  readonly requestId: string;
  readonly orgId: string;
  readonly cost: bigint;
  readonly item: { readonly jobId: string; readonly index: number } | null;
  readonly at: GatewayProcess;
  readonly caps: readonly UsageCap[];
  readonly worst: UsageAmounts;
  readonly used: UsageAmounts;
}

interface Operation {
  readonly orgId: string;
  readonly amount: bigint;
  isAcknowledged: boolean;
}

interface Taken {
  readonly atMs: number;
  readonly by: string;
}

/**
 * Checks what must hold at every moment, and at the end: the invariants of docs/decisions/0060-the-shared-store.md by their
 * numbers, and what clients were told.
 */
export class ClusterOracle {
  readonly violations: string[] = [];
  readonly operations = new Map<string, Operation>();
  readonly #world: ClusterWorld;
  readonly #served = new Map<string, Served>();
  readonly #acknowledged = new Set<string>();
  /** Of each rate, the units that were used in the last minute. */
  readonly #taken = new Map<string, Taken[]>();
  /** The shortest 60 seconds of any machine's clock. */
  readonly #rateWindowMs: number;
  /** The newest change of the configuration that was said to be in force. */
  #inForce = 0;

  constructor(world: ClusterWorld, driftMax: number) {
    this.#world = world;
    this.#rateWindowMs = 60_000 / (1 + driftMax) - 1;
  }

  fail(what: string): void {
    this.violations.push(what);
  }

  /** A request begins, and the configuration decides about it. */
  begun(at: GatewayProcess): void {
    if (at.configSeq < this.#inForce) {
      this.fail(
        `${at.machine.name} acts on change ${at.configSeq} after ${this.#inForce} was in force`,
      );
    }
  }

  inForce(seq: number): void {
    this.#inForce = Math.max(this.#inForce, seq);
  }

  /** A provider is called. */
  called(at: GatewayProcess, orgId: string, takenMs: number | null): void {
    const { server } = this.#world;
    this.#world.count("called");
    if (at.lease.isOver) this.fail(`${at.machine.name} calls a provider after its lease`);
    if (!server.isLive(at.member.id) && !this.#world.isSetBack) {
      this.fail(`${at.machine.name} calls a provider, and is fenced as ${at.member.id}`);
    }
    if (takenMs !== null && !this.#world.isSetBack) this.#took(at, orgId, takenMs);
  }

  served(served: Served): void {
    this.#served.set(served.requestId, served);
  }

  acknowledged(requestId: string): void {
    this.#acknowledged.add(requestId);
    this.#world.count("acknowledged");
  }

  operated(key: string): void {
    const operation = this.operations.get(key);
    if (operation !== undefined) operation.isAcknowledged = true;
    this.#world.count("operated");
  }

  /** The server was set back: what was acknowledged is gone. */
  forgetAcknowledged(): void {
    this.#acknowledged.clear();
    this.#inForce = 0;
    for (const operation of this.operations.values()) operation.isAcknowledged = false;
  }

  /** The server has run a function. */
  afterCall({ name, values, reply }: Done): void {
    // What is left of the money then is not what the gateways know.
    if (this.#world.isSetBack) return;
    if (name === "grant_rate") this.#rateShares(String(values[2]), Number(values[5]));
    else if (name === "grant_cap") this.#capGrants(values, reply);
    else if (changesMoney.has(name)) this.#money(name);
    if (name === "end_gateway" && reply === true) this.#ended(Number(values[0]), String(values[2]));
    if (!changesAllowances.has(name)) return;
    for (const { process } of this.#world.nodes)
      if (process?.isReady === true) this.#memory(process);
  }

  /** Rule 3: whoever is given up has stopped before. */
  #ended(gateway: number, how: string): void {
    this.#world.count(how);
    for (const { process, machine } of this.#world.nodes) {
      if (how !== "fenced" || process === null || process.member.id !== gateway) continue;
      const isOver = this.#world.time.on(machine, () => process.lease.isOver);
      if (!isOver) this.fail(`${machine.name} is fenced as ${gateway}, and its lease is not over`);
    }
  }

  /** Rule 5: what a gateway has in memory is at most what the store has for it. */
  #memory(at: GatewayProcess): void {
    const { server, organizations } = this.#world;
    const { id, epoch } = at.member;
    if (epoch !== at.epoch || !server.isLive(id)) return;
    for (const orgId of organizations) {
      const own = at.own(orgId);
      const stored = server.model.escrowOf(orgId, id);
      if (own > stored)
        this.fail(`${at.machine.name} has ${own} of ${orgId}, and the store ${stored}`);
    }
    for (const id of server.limits.rates.keys()) {
      const share = at.rates.share(id);
      const stored = server.limits.shareOf(id, at.member.id);
      if (share > stored)
        this.fail(`${at.machine.name} has ${share} of ${id}, and the store ${stored}`);
    }
    for (const id of server.limits.caps.keys()) {
      const granted = at.usage.idle(id);
      const stored = server.limits.grantOf(id, at.member.id);
      if (granted > stored) {
        this.fail(`${at.machine.name} has ${granted} of ${id}, and the store ${stored}`);
      }
    }
  }

  /** What was acknowledged is in the books, once, and nothing else. */
  books(): void {
    const { server } = this.#world;
    const paid = new Map<string, bigint>();
    for (const [orgId, { balance, entries, debts }] of server.model.accounts) {
      let follows = 0n;
      for (const [i, entry] of entries.entries()) {
        const { number, type, amount, idempotencyKey: key } = entry;
        follows += type === "debit" ? 0n - amount : amount;
        if (number !== i + 1) this.fail(`I8: ${orgId} has entry ${number} at place ${i + 1}`);
        if (entry.balanceAfter !== follows) this.fail(`I8: the balance does not follow at ${key}`);
        if (paid.has(key)) this.fail(`I4: ${key} has two entries`);
        paid.set(key, amount);
        const isKnown =
          type === "debit"
            ? this.#served.get(key)?.cost === amount
            : this.operations.get(key)?.amount === amount;
        if (!isKnown) this.fail(`${type} of ${amount} as ${key} was never asked for`);
      }
      if (balance !== follows) this.fail(`I8: ${orgId} has ${balance}, and its entries ${follows}`);
      for (const [requestId, { cost }] of debts) {
        if (paid.has(requestId)) this.fail(`I4: ${requestId} has an entry and a debt`);
        paid.set(requestId, cost);
      }
    }
    this.#acknowledgedIn(paid);
    this.#items(paid);
  }

  /** I5 and I10. */
  log(): void {
    const { server, nodes } = this.#world;
    const last = new Map<number, number>();
    for (const { gateway, seq } of server.log) {
      if (seq <= (last.get(gateway) ?? 0)) this.fail(`I10: run ${gateway} ${seq} is not in order`);
      last.set(gateway, seq);
    }
    const lines = server.log.flatMap(({ events }) => events);
    const placed = new Map<string, number>();
    for (const line of lines) {
      const requestId = /"payg\.hold\.placed".*?"request_id":"([^"]*)"/.exec(line)?.[1];
      if (requestId !== undefined) placed.set(requestId, (placed.get(requestId) ?? 0) + 1);
    }
    for (const [requestId, times] of placed) {
      if (times > 1) this.fail(`I10: the hold of ${requestId} is in the log ${times} times`);
    }
    for (const requestId of this.#acknowledged) {
      if (!placed.has(requestId)) this.fail(`I10: the hold of ${requestId} is not in the log`);
    }
    for (const { machine, copy } of nodes) {
      const differs = copy.events.findIndex((event, i) => event !== lines[i]);
      if (differs >= 0) this.fail(`I10: the copy of ${machine.name} differs at ${differs}`);
    }
  }

  /** What was used of caps counts, and is not over. */
  caps(): void {
    const used = new Map<
      string,
      { cap: UsageCap; acknowledged: bigint; all: bigint; over: bigint; most: bigint }
    >();
    for (const served of this.#served.values()) {
      for (const cap of served.caps) {
        const [amount, worst] = [amountOf(cap, served.used), amountOf(cap, served.worst)];
        const sum = used.get(cap.id) ?? { cap, acknowledged: 0n, all: 0n, over: 0n, most: 0n };
        sum.all += amount;
        if (amount > worst) sum.over += amount - worst;
        if (worst > sum.most) sum.most = worst;
        if (this.#acknowledged.has(served.requestId)) sum.acknowledged += amount;
        used.set(cap.id, sum);
      }
    }
    for (const [id, { cap, acknowledged, all, over, most }] of used) {
      const stored = this.#world.server.limits.usedOf(id) ?? 0n;
      if (stored < acknowledged)
        this.fail(`I7: ${id} counts ${stored}, and ${acknowledged} was used`);
      const limit = cap.threshold + over + (cap.hard || most === 0n ? 0n : most - 1n);
      if (all > limit) this.fail(`I7: ${all} was used of ${id}, which allows ${limit}`);
    }
  }

  /** What is left of what was under way; after some quiet time nothing. */
  unrest(): readonly string[] {
    const left: string[] = [];
    const { server, nodes } = this.#world;
    const { model, limits } = server;
    const ids = nodes.flatMap(({ process }) => (process === null ? [] : [process.member.id]));
    const expected = ids.sort((one, other) => one - other).join(" ");
    if (server.live.join(" ") !== expected) {
      left.push(`live are ${server.live.join(" ")}, and should be ${expected}`);
    }
    for (const [orgId, { balance, escrow }] of model.accounts) {
      for (const [id, amount] of escrow) {
        if (amount > 0n) left.push(`${amount} of ${orgId}'s ${balance} lies idle at ${id}`);
      }
    }
    for (const requestId of model.holds.keys()) left.push(`the hold of ${requestId} is left`);
    for (const id of limits.rates.keys()) {
      for (const live of ids) {
        const share = limits.shareOf(id, live);
        if (share > 0) left.push(`${share} of ${id} lie idle at ${live}`);
      }
    }
    for (const id of limits.caps.keys()) {
      for (const live of ids) {
        const grant = limits.grantOf(id, live);
        if (grant > 0n) left.push(`${grant} of ${id} lies idle at ${live}`);
      }
    }
    for (const { process, copy, machine } of nodes) {
      if (process === null) continue;
      const accepts = this.#world.time.on(machine, () => process.ledger.accepting);
      if (!accepts) left.push(`${machine.name} does not accept`);
      if (copy.runs !== server.log.length) left.push(`${machine.name} has not followed the log`);
      for (const orgId of model.accounts.keys()) {
        if (process.held(orgId) !== 0n) left.push(`${machine.name} holds something of ${orgId}`);
        if (process.own(orgId) !== 0n) left.push(`${machine.name} has something of ${orgId}`);
      }
    }
    return left;
  }

  #took(at: GatewayProcess, orgId: string, atMs: number): void {
    const { id, limit } = this.#world.clients.rateOf(orgId);
    const since = this.#world.time.nowMs - this.#rateWindowMs - 60_000;
    const taken = (this.#taken.get(id) ?? []).filter((one) => one.atMs > since);
    taken.push({ atMs, by: at.machine.name });
    this.#taken.set(id, taken);
    // It was taken before it is told here, and others may have come between.
    for (const { atMs: from } of taken) {
      const within = taken.filter(
        (one) => one.atMs >= from && one.atMs < from + this.#rateWindowMs,
      );
      if (within.length > limit) {
        return this.fail(
          `${within.length} of ${limit} units of ${id} were used in 60 s from ${from}`,
        );
      }
    }
  }

  #money(name: string): void {
    const { model } = this.#world.server;
    const held = new Map<string, bigint>();
    for (const { orgId, gateway, amount } of model.holds.values()) {
      const place = `${gateway} ${orgId}`;
      held.set(place, (held.get(place) ?? 0n) + amount);
    }
    for (const [orgId, { balance, escrow }] of model.accounts) {
      let all = 0n;
      if (balance < 0n) this.fail(`I1: ${orgId} has ${balance} after ${name}`);
      for (const [id, amount] of escrow) {
        all += amount;
        if (amount < 0n) this.fail(`I2: gateway ${id} has ${amount} of ${orgId} after ${name}`);
        const holds = held.get(`${id} ${orgId}`) ?? 0n;
        held.delete(`${id} ${orgId}`);
        if (holds > amount)
          this.fail(`I3: gateway ${id} holds ${holds} of ${orgId}, and has ${amount}`);
      }
      if (all > balance) this.fail(`I2: ${all} is in escrow of ${orgId}, which has ${balance}`);
    }
    for (const [place, amount] of held) {
      if (amount > 0n) this.fail(`I3: gateway ${place} holds ${amount}, and has nothing`);
    }
  }

  #rateShares(id: string, limit: number): void {
    const shares = this.#world.server.limits.rates.get(id);
    const all = [...(shares?.values() ?? [])].reduce((sum, { units }) => sum + units, 0);
    if (all > limit) this.fail(`I7: ${all} units of ${id} are given, and ${limit} are allowed`);
  }

  #capGrants(values: readonly unknown[], reply: unknown): void {
    const [, , id, , need, , threshold, hard, idle] = values;
    const { outcome, used, granted } = reply as Readonly<Record<string, string>>;
    if (outcome !== "granted") return;
    const crossing = BigInt(String(need)) + BigInt(String(idle)) - 1n;
    const most = BigInt(String(threshold)) + (hard === true ? 0n : crossing);
    const all = BigInt(used ?? "") + BigInt(granted ?? "");
    if (all > most)
      this.fail(`I7: ${all} of ${String(id)} is used and given, and ${most} is allowed`);
  }

  #acknowledgedIn(paid: ReadonlyMap<string, bigint>): void {
    for (const requestId of this.#acknowledged) {
      const served = this.#served.get(requestId);
      if (served === undefined || served.item !== null || served.cost === 0n) continue;
      if (!paid.has(requestId))
        this.fail(`I6: ${requestId} was acknowledged, and is not in the books`);
    }
    for (const [key, { isAcknowledged }] of this.operations) {
      if (isAcknowledged && !paid.has(key))
        this.fail(`I6: the entry ${key} was acknowledged, and is lost`);
    }
  }

  /** I9. */
  #items(paid: ReadonlyMap<string, bigint>): void {
    const runs = new Map<string, { paid: number; acknowledged: number }>();
    for (const { item, requestId, cost } of this.#served.values()) {
      if (item === null || cost === 0n) continue;
      const name = `${item.jobId} ${item.index}`;
      const of = runs.get(name) ?? { paid: 0, acknowledged: 0 };
      if (paid.has(requestId)) of.paid += 1;
      if (this.#acknowledged.has(requestId)) of.acknowledged += 1;
      runs.set(name, of);
    }
    for (const [name, of] of runs) {
      if (of.paid > 1) this.fail(`I9: the item ${name} is paid for ${of.paid} times`);
      if (of.acknowledged > 0 && of.paid === 0) this.fail(`I9: the item ${name} is not paid for`);
    }
  }
}

const changesAllowances: ReadonlySet<string> = new Set([
  ...["flush", "grant_money", "grant_rate", "grant_cap", "end_gateway"],
]);
const changesMoney: ReadonlySet<string> = new Set([
  ...["flush", "grant_money", "end_gateway", "top_up", "recover_some"],
]);
