import { onTestFinished } from "vitest";
import { microUsd, type MicroUsd } from "../../../src/contract/money.ts";
import type { Hold, HoldRequest } from "../../../src/store/ledger/ledger.ts";
import { accept, type Outcome } from "../../../src/contract/outcome.ts";
import { refuse } from "../../../src/contract/errors.ts";
import { systemClock, type Clock } from "../../../src/runtime/clock.ts";
import { Journal, type BatchWriter } from "../../../src/store/journal/journal.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { flushPartsOf } from "../../../src/store/shared/flush-of.ts";
import type { SharedCalls } from "../../../src/store/shared/calls.ts";
import { Lease } from "../../../src/store/shared/lease.ts";
import { SharedLedger } from "../../../src/store/shared/ledger.ts";
import { Link } from "../../../src/store/shared/link.ts";
import { Member } from "../../../src/store/shared/member.ts";
import { callsOf } from "../../../src/store/shared/member-calls.ts";

/** Of as many gateways. */
export type Gateways = [GatewayBooks, ...GatewayBooks[]];

export function openGateways(
  url: string,
  count: number,
  options: GatewayOptions = {},
): Promise<Gateways> {
  const all = Array.from({ length: count }, () => GatewayBooks.open(url, options));
  return Promise.all(all) as Promise<Gateways>;
}

export interface GatewayOptions {
  readonly clock?: Clock;
  readonly holdsMax?: number;
  /** Stands before the calls of the store. */
  readonly calls?: (calls: SharedCalls, member: Member) => SharedCalls;
}

/** The books of one gateway over a real database, without its threads. Closed with the test. */
export class GatewayBooks {
  readonly member: Member;
  readonly journal: Journal;
  readonly accounts = new SharedAccounts();
  readonly ledger: SharedLedger;
  readonly failures: unknown[] = [];
  /** Set: the store can't be reached for writes. */
  isAway = false;
  /** How often this gateway was taken for dead. */
  lost = 0;
  readonly #news: Link;
  #closed: Promise<void> | null = null;

  private constructor(url: string, { clock, holdsMax, calls }: GatewayOptions) {
    const lease = new Lease();
    const trouble = (error: unknown): void => void this.failures.push(error);
    this.member = new Member({
      ...{ url, name: "gateway", release: "1", configHash: "", lease, trouble },
      applied: (reply, returns) => this.ledger.applied(reply, returns),
      lateGrant: (orgId, amount) => this.ledger.lateGrant(orgId, amount),
      lateLimits: () => undefined,
      lost: () => {
        this.lost += 1;
        this.ledger.lost(this.member.epoch);
      },
      // These gateways have no configuration.
      rejoined: () => this.member.mustActOn(0),
      wentBack: trouble,
    });
    const writer: BatchWriter = {
      write: async (batch) => {
        const { epoch } = this.member;
        if (this.isAway) return refuse("internal_error", "away");
        try {
          await this.member.write(batch.number, flushPartsOf(batch, epoch), epoch);
        } catch (error) {
          trouble(error);
          return refuse("internal_error", String(error));
        }
        this.ledger.flushed(batch.operations);
        return accept(null);
      },
      apply: () => Promise.resolve(accept(null)),
      close: () => this.member.leave(),
    };
    this.journal = new Journal({
      ...{ writer, lastBatch: 0, lease, flushMs: 10, retryMs: 20 },
      onFlushFailed: trouble,
    });
    const ofMember = callsOf(this.member);
    this.ledger = new SharedLedger({
      ...{ journal: this.journal, accounts: this.accounts, clock: clock ?? systemClock },
      calls: calls?.(ofMember, this.member) ?? ofMember,
      billingUrl: () => "https://billing.example",
      onFailure: trouble,
      ...(holdsMax === undefined ? {} : { holdsMax }),
    });
    this.#news = new Link({
      ...{ url, broken: () => setTimeout(listen, 20) },
      opened: async (client) => {
        await client.query("LISTEN weir_recall; LISTEN weir_account");
      },
      notified: ({ channel, payload = "" }) => {
        if (channel === "weir_account") void this.ledger.refresh(payload).catch(trouble);
        else if (payload.startsWith("money ")) this.ledger.recalled(payload.slice("money ".length));
      },
    });
    const listen = (): void => void this.#news.ready().catch(() => undefined);
  }

  static async open(url: string, options: GatewayOptions = {}): Promise<GatewayBooks> {
    const books = new GatewayBooks(url, options);
    onTestFinished(() => books.close());
    await books.member.join();
    await books.member.beat();
    await books.#news.ready();
    await books.ledger.open();
    return books;
  }

  /** Everything that was appended is in the database. */
  async flushed(): Promise<void> {
    await this.journal.flushedAll(null);
  }

  /** What may be spent here of an organization's balance, less what is not flushed. */
  own(orgId: string): bigint {
    const own = this.accounts.change(orgId, ({ balance, elsewhere }) => balance - elsewhere);
    return own.ok ? own.value : 0n;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.ledger.close();
    await this.journal.close();
    await this.#news.close();
  }
}

export const cents = (amount: number): MicroUsd => microUsd(BigInt(amount) * 10_000n);
const by = { apiKeyId: "key_1", team: null };

let requests = 0;
export function request(orgId: string, estimate: MicroUsd): HoldRequest {
  requests += 1;
  return { requestId: `request-${requests}`, orgId, by, estimate, isLive: () => true };
}

export const chargeOf = (cost: MicroUsd) => ({
  cost,
  catalogVersion: "v1",
  usage: { uncachedInput: 3 },
});

export async function held(books: GatewayBooks, orgId: string, estimate: MicroUsd): Promise<Hold> {
  const outcome = await books.ledger.hold(request(orgId, estimate));
  if (!outcome.ok) throw new Error(`${outcome.refusal.code}: ${outcome.refusal.message}`);
  return outcome.value;
}

/** Below 0 it is a correction, which may be refused. */
export function tryTopUp(
  { ledger }: GatewayBooks,
  orgId: string,
  amount: MicroUsd,
): Promise<Outcome<unknown>> {
  requests += 1;
  const type = amount < 0n ? "correction" : "top_up";
  return ledger.topUp({ orgId, amount, type, idempotencyKey: `top-up-${requests}` });
}

export async function topUp(books: GatewayBooks, orgId: string, amount: MicroUsd): Promise<void> {
  const outcome = await tryTopUp(books, orgId, amount);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
}

export const code = (outcome: Outcome<unknown>): string =>
  outcome.ok ? "accepted" : outcome.refusal.code;
