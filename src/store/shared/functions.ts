import type { LedgerEntry } from "../../contract/ledger.ts";
import { microUsd, type MicroUsd } from "../../contract/money.ts";
import type { PaidBy } from "../ledger/ledger.ts";
import { bucketMs } from "../windows/usage-ring.ts";
import { capAfter, type CapAfter, type CapAmounts } from "./limit-functions.ts";
import { ledgerEntryOf, type StoredEntry } from "./money-reads.ts";
import type { CapUse } from "../windows/usage-count.ts";
import type { RateUnits } from "../windows/rate-return.ts";
import { callFunction, type Queryable } from "./call-function.ts";

/** The cost of a request on its way into the books. */
export interface FlushedDebit {
  readonly orgId: string;
  readonly requestId: string;
  readonly by: PaidBy;
  readonly cost: MicroUsd;
  /** How much of it comes out of this gateway's escrow; the rest comes out of what nobody has in escrow. */
  readonly paid: MicroUsd;
  /** ISO 8601. */
  readonly at: string;
  /** `null`: the event that stands for the debit tells nothing more. */
  readonly detail: Pick<LedgerEntry, "catalogVersion" | "usage"> | null;
  /** The item of a batch job that ends with it. If it has ended with another debit, this one is refused. */
  readonly item?: { readonly jobId: string; readonly index: number } | undefined;
}

export interface Amount {
  readonly orgId: string;
  readonly amount: MicroUsd;
}

/** What a gateway writes at once, all or nothing. */
export interface Flush {
  /** From 1 for each gateway, without a gap. A repeated number is applied once. */
  readonly seq: number;
  /** The configuration that the gateway acts on. */
  readonly configSeq: number;
  /** Requests whose hold has ended, and was in an earlier flush. */
  readonly unholds: readonly string[];
  /** Holds that have not ended yet. */
  readonly holds: readonly (Amount & { readonly requestId: string; readonly by: PaidBy })[];
  readonly debits: readonly FlushedDebit[];
  /** Escrow that is no longer used. It must be gone from this gateway's memory before. */
  readonly returns: readonly Amount[];
  /** What usage limits and budgets count, and what this gateway does not need of them any more. */
  readonly usage: readonly CapUse[];
  /** Units of rate limits that were not used in the last 60 seconds, gone from this gateway's memory. */
  readonly rateReturns: readonly RateUnits[];
  /** Canonical lines of the audit log, compressed, and their leaf hashes; null: there are none. */
  readonly events: { readonly lines: Uint8Array; readonly leaves: Uint8Array } | null;
  /** What every gateway applies to its copy, encoded; null: nothing. */
  readonly operations: Uint8Array | null;
}

/** The account of an organization after a flush. */
export interface AccountAfter {
  readonly balance: MicroUsd;
  /** Of all gateways. */
  readonly escrowed: MicroUsd;
  readonly own: MicroUsd;
}

export interface AppliedFlush {
  readonly outcome: "applied";
  readonly seq: number;
  /** Debits that the balance did not cover: their cost is owed, and what they paid is in the escrow. */
  readonly owed: readonly string[];
  /** Debits of requests that have an entry or a debt already: nothing was moved. */
  readonly refused: readonly string[];
  /** Of the organizations that the flush has debits or returns of. */
  readonly accounts: ReadonlyMap<string, AccountAfter>;
  /** The usage limits and budgets that the flush has counted. */
  readonly caps: ReadonlyMap<string, CapAfter>;
}

export type FlushReply =
  | AppliedFlush
  /**
   * Another gateway has taken this one for dead: nothing can be written under its id. `last`: the last flush that was
   * applied under it, which may be this one.
   */
  | { readonly outcome: "fenced"; readonly last: AppliedFlush | null }
  /** `seq`: the last flush that the store has. It has lost some if this gateway knows of later ones. */
  | { readonly outcome: "gap"; readonly seq: number };

/** A gateway that may write. */
export interface LiveGateway {
  readonly id: number;
  readonly name: string;
  readonly release: string;
  /** Its last flush. It stands still, or is cut off, as long as this stays the same. */
  readonly seq: number;
}

export type GrantReply =
  | ({ readonly outcome: "granted" | "scarce"; readonly amount: MicroUsd } & AccountAfter)
  | { readonly outcome: "no_account" | "fenced" | "old_connection" };

export type HelloReply =
  | {
      readonly outcome: "known";
      /** The last flush that the store has. */
      readonly seq: number;
      /** This gateway's escrow, by organization. */
      readonly money: ReadonlyMap<string, MicroUsd>;
      /** This gateway's shares of rate limits. */
      readonly rates: ReadonlyMap<string, number>;
      /** What this gateway may use of usage limits and budgets. */
      readonly caps: ReadonlyMap<string, bigint>;
    }
  | { readonly outcome: "fenced" | "old_connection" };

export type TopUpReply =
  | { readonly outcome: "written" | "known"; readonly entry: LedgerEntry }
  | { readonly outcome: "key_of_request" | "too_much" | "too_large" };

/**
 * The functions of the shared store (`migrations/`), which has their rules. Each call is one transaction in one round
 * trip; it is durable when it resolves. Each rejects if the connection fails: then it was applied, or it was not.
 */
export class SharedFunctions {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Returns the id of a new gateway. */
  async join(name: string, release: string, configHash: string): Promise<number> {
    return Number(await this.#call("join_cluster", [name, release, configHash]));
  }

  async flush(gateway: number, flush: Flush): Promise<FlushReply> {
    const { seq, configSeq, events, operations } = flush;
    const reply = (await this.#call("flush", [
      ...[gateway, seq, configSeq, JSON.stringify(batchOf(flush))],
      ...[events?.lines ?? null, events?.leaves ?? null, operations],
    ])) as StoredFlushReply;
    if (reply.outcome === "applied") return applied(reply);
    if (reply.outcome === "gap") return reply;
    return { outcome: "fenced", last: reply.last === null ? null : applied(reply.last) };
  }

  async liveGateways(): Promise<readonly LiveGateway[]> {
    const found = (await this.#call("live_gateways", [])) as Readonly<
      Record<string, Omit<LiveGateway, "id">>
    >;
    return Object.entries(found).map(([id, gateway]) => ({ id: Number(id), ...gateway }));
  }

  /** `need` is 1 at least. `target` is the most that is worth having. */
  async grantMoney(
    gateway: number,
    connection: number,
    orgId: string,
    need: MicroUsd,
    target: MicroUsd,
  ): Promise<GrantReply> {
    const values = [gateway, connection, orgId, String(need), String(target)];
    const reply = (await this.#call("grant_money", values)) as StoredGrantReply;
    if (!("amount" in reply)) return reply;
    const { outcome, amount, balance, escrowed, own } = reply;
    return { outcome, amount: money(amount), ...accountAfter(balance, escrowed, own) };
  }

  async hello(gateway: number, connection: number): Promise<HelloReply> {
    const reply = (await this.#call("hello", [gateway, connection])) as StoredHelloReply;
    if (reply.outcome !== "known") return reply;
    const amounts = Object.entries(reply.money).map(
      ([orgId, amount]) => [orgId, money(amount)] as const,
    );
    const caps = Object.entries(reply.caps).map(([id, amount]) => [id, BigInt(amount)] as const);
    const rates = new Map(Object.entries(reply.rates));
    return {
      outcome: "known",
      seq: reply.seq,
      money: new Map(amounts),
      rates,
      caps: new Map(caps),
    };
  }

  /** False: the gateway has moved on since `observedSeq`, is gone already, or is being written to. */
  async end(gateway: number, observedSeq: number, state: "fenced" | "left"): Promise<boolean> {
    return Boolean(await this.#call("end_gateway", [gateway, observedSeq, state]));
  }

  async openAccount(orgId: string): Promise<void> {
    await this.#call("open_account", [orgId]);
  }

  async topUp(
    orgId: string,
    type: "top_up" | "correction",
    amount: MicroUsd,
    idempotencyKey: string,
    { balanceMax, debtsMax }: { readonly balanceMax: bigint; readonly debtsMax: number },
  ): Promise<TopUpReply> {
    const values = [orgId, type, String(amount), idempotencyKey, String(balanceMax), debtsMax];
    const reply = (await this.#call("top_up", values)) as StoredTopUpReply;
    if (!("entry" in reply)) return reply;
    return { outcome: reply.outcome, entry: ledgerEntryOf(reply.entry) };
  }

  /** Returns how many debts were debited. */
  async recoverDebts(orgId: string, debtsMax: number): Promise<number> {
    return Number(await this.#call("recover_debts", [orgId, debtsMax]));
  }

  /** Makes jobs those of a gateway, unless another one that lives has them. Claims are kept for `keptMs` at least. */
  async claimJobs(
    gateway: number,
    jobIds: readonly string[],
    keptMs: number,
  ): Promise<readonly string[]> {
    const values = [gateway, jobIds, `${keptMs} milliseconds`];
    return (await this.#call("claim_jobs", values)) as readonly string[];
  }

  /** Gives at most `runsMax` runs their places in the log. Returns its size; null: another gateway is at it. */
  async sequenceRuns(runsMax: number): Promise<number | null> {
    const size = await this.#call("sequence_runs", [runsMax]);
    return size === null ? null : Number(size);
  }

  #call(name: string, values: readonly unknown[]): Promise<unknown> {
    return callFunction(this.#database, name, values);
  }
}

/** Without the members that would be empty: the store looks at each that is there. */
function batchOf(flush: Flush): Readonly<Record<string, readonly unknown[]>> {
  const { unholds, holds, debits, returns, usage, rateReturns } = flush;
  const debited = new Set<string>();
  const members: Readonly<Record<string, readonly unknown[]>> = {
    unholds,
    holds: holds.map(({ requestId, orgId, amount, by }) => [requestId, orgId, String(amount), by]),
    orgs: [...new Set([...debits, ...returns].map(({ orgId }) => orgId))],
    debits: debits.map((debit) => {
      const name = `${debit.orgId} ${debit.requestId}`;
      const again = debited.has(name);
      debited.add(name);
      return debitOf(debit, again);
    }),
    returns: returns.map(({ orgId, amount }) => [orgId, String(amount)]),
    usage: usage.map(({ id, window, amount, released }) => {
      return [id, bucketMs(window), String(amount), String(released)];
    }),
    rates: rateReturns.map(({ id, units }) => [id, units]),
  };
  return Object.fromEntries(Object.entries(members).filter(([, list]) => list.length > 0));
}

function debitOf(debit: FlushedDebit, again: boolean): object {
  const { orgId, requestId, by, cost, paid, at, detail, item } = debit;
  return {
    ...{ org: orgId, request: requestId, by, cost: String(cost), paid: String(paid), at, detail },
    ...(item === undefined ? {} : { job: item.jobId, item: item.index }),
    ...(again ? { again } : {}),
  };
}

function applied(flush: StoredFlush): AppliedFlush {
  const accounts = Object.entries(flush.accounts).map(
    ([orgId, amounts]) => [orgId, accountAfter(...amounts)] as const,
  );
  const caps = Object.entries(flush.caps).map(([id, one]) => [id, capAfter(...one)] as const);
  return { ...flush, accounts: new Map(accounts), caps: new Map(caps) };
}

function accountAfter(balance: string, escrowed: string, own: string): AccountAfter {
  return { balance: money(balance), escrowed: money(escrowed), own: money(own) };
}

function money(text: string): MicroUsd {
  return microUsd(BigInt(text));
}

type Amounts = readonly [balance: string, escrowed: string, own: string];

interface StoredFlush extends Omit<AppliedFlush, "accounts" | "caps"> {
  readonly accounts: Readonly<Record<string, Amounts>>;
  readonly caps: Readonly<Record<string, CapAmounts>>;
}

type StoredFlushReply =
  | StoredFlush
  | { readonly outcome: "fenced"; readonly last: StoredFlush | null }
  | { readonly outcome: "gap"; readonly seq: number };

type StoredGrantReply =
  | {
      readonly outcome: "granted" | "scarce";
      readonly amount: string;
      readonly balance: string;
      readonly escrowed: string;
      readonly own: string;
    }
  | { readonly outcome: "no_account" | "fenced" | "old_connection" };

type StoredHelloReply =
  | {
      readonly outcome: "known";
      readonly seq: number;
      readonly money: Readonly<Record<string, string>>;
      readonly rates: Readonly<Record<string, number>>;
      readonly caps: Readonly<Record<string, string>>;
    }
  | { readonly outcome: "fenced" | "old_connection" };

type StoredTopUpReply =
  | { readonly outcome: "written" | "known"; readonly entry: StoredEntry }
  | { readonly outcome: "key_of_request" | "too_much" | "too_large" };
