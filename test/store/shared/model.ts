import type { LedgerEntry } from "../../../src/contract/ledger.ts";
import { formatUsd, microUsd, zeroUsd, type MicroUsd } from "../../../src/contract/money.ts";
import * as ledgerEvents from "../../../src/store/ledger/ledger-events.ts";
import type { AuditEvent } from "../../../src/contract/audit.ts";
import type {
  AppliedFlush,
  Flush,
  FlushedDebit,
  FlushReply,
  GrantReply,
  HelloReply,
  TopUpReply,
} from "../../../src/store/shared/functions.ts";

interface Gateway {
  seq: number;
  reply: AppliedFlush | null;
  conn: number;
  state: "live" | "fenced" | "left";
}

interface Account {
  balance: bigint;
  readonly escrow: Map<number, bigint>;
  readonly entries: ModelEntry[];
  readonly debts: Map<string, FlushedDebit>;
}

interface Run {
  readonly gateway: number;
  readonly events: readonly string[];
}

type ModelHold = Flush["holds"][number] & { readonly gateway: number };

/** What the functions of the shared store do, written a second time: in memory, one call after the other. */
export class SharedModel {
  readonly gateways = new Map<number, Gateway>();
  readonly accounts = new Map<string, Account>();
  /** By gateway and request: two gateways may run the same item of a job. */
  readonly holds = new Map<string, ModelHold>();
  /** Items of batch jobs that have ended with a debit. */
  readonly items = new Set<string>();
  readonly waiting: Run[] = [];
  /** The log's events: lines of gateways, and types of events that the store has written. */
  readonly log: string[] = [];

  join(): number {
    const id = this.gateways.size + 1;
    this.gateways.set(id, { seq: 0, reply: null, conn: 0, state: "live" });
    return id;
  }

  escrowOf(orgId: string, gateway: number): bigint {
    return this.accounts.get(orgId)?.escrow.get(gateway) ?? 0n;
  }

  free(orgId: string): bigint {
    const account = this.accounts.get(orgId);
    return account === undefined ? 0n : account.balance - escrowed(account);
  }

  flush(gateway: number, flush: Flush, lines: readonly string[]): FlushReply {
    const me = this.gateways.get(gateway);
    if (me?.state !== "live") return { outcome: "fenced", last: me?.reply ?? null };
    if (me.seq === flush.seq && me.reply !== null) return me.reply;
    if (me.seq !== flush.seq - 1) return { outcome: "gap", seq: me.seq };
    for (const id of flush.unholds) this.holds.delete(`${gateway} ${id}`);
    for (const hold of flush.holds) {
      this.holds.set(`${gateway} ${hold.requestId}`, { ...hold, gateway });
    }
    const touched = new Set([...flush.debits, ...flush.returns].map(({ orgId }) => orgId));
    const [owed, refused, made]: [string[], string[], string[]] = [[], [], []];
    for (const debit of flush.debits) {
      const { orgId, requestId, cost, paid, item } = debit;
      const account = this.#account(orgId);
      const itemName = item === undefined ? null : `${item.jobId} ${item.index}`;
      if (itemName !== null && this.items.has(itemName)) {
        refused.push(requestId);
        continue;
      }
      if (itemName !== null) this.items.add(itemName);
      if (account.debts.has(requestId) || entryOf(account, requestId) !== undefined) {
        refused.push(requestId);
        made.push("payg.entry.refused");
      } else if (cost - paid > this.free(orgId)) {
        account.debts.set(requestId, debit);
        owed.push(requestId);
        const event = ledgerEvents.debitSkipped(debit, cost, microUsd(account.balance));
        made.push(told(event));
      } else {
        account.escrow.set(gateway, this.escrowOf(orgId, gateway) - paid);
        enter(account, "debit", cost, requestId);
        made.push(told(ledgerEvents.debitApplied(debit, cost, microUsd(account.balance))));
      }
    }
    for (const { orgId, amount } of flush.returns) {
      this.#account(orgId).escrow.set(gateway, this.escrowOf(orgId, gateway) - amount);
    }
    const events = [...lines, ...made];
    if (events.length > 0) this.waiting.push({ gateway, events });
    const accounts = [...touched].map((orgId) => [orgId, this.#after(orgId, gateway)] as const);
    me.seq = flush.seq;
    me.reply = {
      ...{ outcome: "applied", seq: flush.seq, owed, refused },
      accounts: new Map(accounts),
      caps: new Map(),
    };
    return me.reply;
  }

  grantMoney(
    gateway: number,
    conn: number,
    orgId: string,
    need: MicroUsd,
    target: MicroUsd,
  ): GrantReply {
    const me = this.gateways.get(gateway);
    if (me?.state !== "live") return { outcome: "fenced" };
    if (me.conn !== conn) return { outcome: "old_connection" };
    const account = this.accounts.get(orgId);
    if (account === undefined) return { outcome: "no_account" };
    const free = this.free(orgId);
    if (free < need) return { outcome: "scarce", amount: zeroUsd, ...this.#after(orgId, gateway) };
    let amount: bigint = need;
    if (free / 64n >= need) {
      const live = [...this.gateways.values()].filter(({ state }) => state === "live").length;
      const [wished, share] = [target - need, (free - need) / BigInt(8 * live)];
      if (wished > 0n) amount += wished < share ? wished : share;
    }
    account.escrow.set(gateway, this.escrowOf(orgId, gateway) + amount);
    return { outcome: "granted", amount: microUsd(amount), ...this.#after(orgId, gateway) };
  }

  hello(gateway: number, conn: number): HelloReply {
    const me = this.gateways.get(gateway);
    if (me?.state !== "live") return { outcome: "fenced" };
    if (me.conn >= conn) return { outcome: "old_connection" };
    me.conn = conn;
    const money = new Map<string, MicroUsd>();
    for (const orgId of this.accounts.keys()) {
      const own = this.escrowOf(orgId, gateway);
      if (own > 0n) money.set(orgId, microUsd(own));
    }
    return { outcome: "known", seq: me.seq, money, rates: new Map(), caps: new Map() };
  }

  end(gateway: number, observedSeq: number, state: "fenced" | "left"): boolean {
    const me = this.gateways.get(gateway);
    if (me?.state !== "live" || me.seq !== observedSeq) return false;
    me.state = state;
    for (const { escrow } of this.accounts.values()) escrow.delete(gateway);
    const left = [...this.holds.values()].filter((hold) => hold.gateway === gateway);
    for (const { requestId } of left) this.holds.delete(`${gateway} ${requestId}`);
    const events = left
      .sort((one, other) => (one.requestId < other.requestId ? -1 : 1))
      .map(({ requestId, orgId, amount, by }) =>
        told(ledgerEvents.holdExpired({ requestId, orgId, by }, amount, "outcome_unknown")),
      );
    if (events.length > 0) this.waiting.push({ gateway: 0, events });
    return true;
  }

  topUp(
    orgId: string,
    type: "top_up" | "correction",
    amount: MicroUsd,
    key: string,
    balanceMax: bigint,
    debtsMax: number,
  ): TopUpReply {
    const account = this.#account(orgId);
    const known = entryOf(account, key);
    if (known !== undefined) return { outcome: "known", entry: ledgerEntryOf(known) };
    const isHeld = [...this.holds.values()].some(
      (hold) => hold.requestId === key && hold.orgId === orgId,
    );
    if (isHeld || account.debts.has(key)) return { outcome: "key_of_request" };
    if (this.free(orgId) + amount < 0n) return { outcome: "too_much" };
    if (amount > 0n && account.balance + amount > balanceMax) return { outcome: "too_large" };
    const entry = ledgerEntryOf(enter(account, type, amount, key));
    const about = { requestId: null, orgId };
    const event = ledgerEvents.toppedUp(about, type, amount, microUsd(account.balance), key);
    this.waiting.push({ gateway: 0, events: [told(event)] });
    this.recoverDebts(orgId, debtsMax);
    return { outcome: "written", entry };
  }

  recoverDebts(orgId: string, debtsMax: number): number {
    const account = this.accounts.get(orgId);
    if (account === undefined) return 0;
    const atStart = this.free(orgId);
    const events = [...account.debts.values()]
      .sort((one, other) => compare([one.at, one.requestId], [other.at, other.requestId]))
      .filter(({ cost }) => cost <= atStart)
      .slice(0, debtsMax)
      .flatMap((debt) => {
        const { cost, requestId, by } = debt;
        if (cost > this.free(orgId)) return [];
        account.debts.delete(requestId);
        enter(account, "debit", cost, requestId);
        return told(
          ledgerEvents.debitRecovered({ requestId, orgId, by }, cost, microUsd(account.balance)),
        );
      });
    if (events.length > 0) this.waiting.push({ gateway: 0, events });
    return events.length;
  }

  sequenceRuns(): number {
    const runs = this.waiting.splice(0).sort((one, other) => one.gateway - other.gateway);
    for (const { events } of runs) this.log.push(...events);
    return this.log.length;
  }

  /** The money as text, to be compared with the store's. */
  books(): string {
    const accounts = [...this.accounts].map(([orgId, account]) => [
      ...[orgId, account.balance, escrowed(account)],
      [...account.escrow].filter(([, amount]) => amount > 0n).sort(([one], [other]) => one - other),
      account.entries.map((entry): unknown[] => Object.values(entry)),
      [...account.debts.values()].map(({ requestId, cost }) => [requestId, cost]).sort(),
    ]);
    const holds = [...this.holds.values()].map(({ requestId, orgId, amount, gateway }) => {
      return [requestId, orgId, amount, gateway];
    });
    return textOf({ accounts: accounts.sort(), holds: holds.sort() });
  }

  #account(orgId: string): Account {
    let account = this.accounts.get(orgId);
    if (account === undefined) {
      account = { balance: 0n, escrow: new Map(), entries: [], debts: new Map() };
      this.accounts.set(orgId, account);
    }
    return account;
  }

  #after(orgId: string, gateway: number) {
    const account = this.#account(orgId);
    const [balance, all] = [microUsd(account.balance), microUsd(escrowed(account))];
    return { balance, escrowed: all, own: microUsd(this.escrowOf(orgId, gateway)) };
  }
}

/** JSON with amounts as texts. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}

/** An event of the store itself, without its time. */
export function told({ eventType, orgId, requestId, data }: AuditEvent): string {
  return `${eventType} ${orgId} ${requestId} ${JSON.stringify(data)}`;
}

function escrowed({ escrow }: Account): bigint {
  return [...escrow.values()].reduce((sum, amount) => sum + amount, 0n);
}

interface ModelEntry {
  readonly number: number;
  readonly type: LedgerEntry["type"];
  readonly amount: MicroUsd;
  readonly balanceAfter: MicroUsd;
  readonly idempotencyKey: string;
}

/** As the store answers a top-up; the time is not compared. */
function ledgerEntryOf({
  number,
  type,
  amount,
  balanceAfter,
  idempotencyKey,
}: ModelEntry): LedgerEntry {
  return {
    id: String(number),
    type,
    amountUsd: formatUsd(amount),
    balanceAfterUsd: formatUsd(balanceAfter),
    idempotencyKey,
    requestId: type === "debit" ? idempotencyKey : null,
    catalogVersion: null,
    usage: null,
    createdAt: "",
  };
}

function entryOf({ entries }: Account, key: string) {
  return entries.find(({ idempotencyKey }) => idempotencyKey === key);
}

function enter(account: Account, type: LedgerEntry["type"], amount: MicroUsd, key: string) {
  account.balance += type === "debit" ? 0n - amount : amount;
  const balanceAfter = microUsd(account.balance);
  const number = account.entries.length + 1;
  const entry = { number, type, amount, balanceAfter, idempotencyKey: key };
  account.entries.push(entry);
  return entry;
}

function compare(one: readonly string[], other: readonly string[]): number {
  return one.join("\0") < other.join("\0") ? -1 : 1;
}
