import { sharedBeatMs, sharedReconnectMs } from "../../contract/limits.ts";
import { microUsd, type MicroUsd } from "../../contract/money.ts";
import { SharedFunctions, type Amount, type AppliedFlush, type Flush } from "./functions.ts";
import { KnownAllowances, type LateLimits } from "./known-allowances.ts";
import type { Lease, LeaseMoment } from "./lease.ts";
import { LimitFunctions } from "./limit-functions.ts";
import { Link, type NewConnection } from "./link.ts";
import { LiveGateways } from "./live-gateways.ts";
import { MoneyReads } from "./money-reads.ts";
import { Replication } from "./replication.ts";

/** A flush without its number and the configuration that it goes under. */
export type FlushParts = Omit<Flush, "seq" | "configSeq">;

export interface MemberOptions {
  readonly url: string;
  readonly name: string;
  readonly release: string;
  readonly configHash: string;
  readonly lease: Lease;
  /** As of `LinkOptions`. */
  readonly newConnection?: NewConnection | undefined;
  /** A flush was applied: what it did to the accounts, and what it has returned of this gateway's escrow. */
  readonly applied: (reply: AppliedFlush, returns: readonly Amount[]) => void;
  /** A grant has come whose answer was lost. */
  readonly lateGrant: (orgId: string, amount: MicroUsd) => void;
  /** The same for shares of rate limits, and for usage limits and budgets. */
  readonly lateLimits: (late: LateLimits) => void;
  /** Others have taken this gateway for dead. It goes on under another id, without allowances. */
  readonly lost: () => void;
  /**
   * It has another id now. Its lease is not renewed before `mustActOn` tells what it has to act on: while it was given up,
   * changes of the configuration did not wait for it.
   */
  readonly rejoined: () => void;
  /** The store lacks what it has acknowledged. Nothing may go on. */
  readonly wentBack: (why: string) => void;
  readonly trouble: (error: Error) => void;
}

interface Pending {
  /** The caller's number of it; 0: nobody's. */
  readonly batch: number;
  readonly parts: FlushParts;
  readonly seq: number;
  /**
   * When it was sent first; null: not yet. A repeated flush may have been applied then, and others have seen this
   * gateway stand still since.
   */
  readonly sent: LeaseMoment | null;
}

/** One start of a gateway among those that share the store: its id, its flushes in their order, its allowances. */
export class Member {
  readonly #options: MemberOptions;
  readonly #writes: Link;
  readonly #asks: Link;
  readonly flushes: SharedFunctions;
  readonly grants: SharedFunctions;
  readonly limits: LimitFunctions;
  readonly replication: Replication;
  readonly reads: MoneyReads;
  readonly #live: LiveGateways;
  /** 0: it has not joined yet. */
  #id = 0;
  /** Under which grants are asked for; 0: it was not told to the store yet. */
  #connection = 0;
  #lastConnection = 0;
  #seq = 0;
  #lastBatch = 0;
  /** The configuration that this gateway acts on. */
  #configSeq = 0;
  /** Below that the lease is not renewed. */
  #mustActOn = 0;
  #pending: Pending | null = null;
  /** Of its id: with another one they are gone. */
  allowances = new KnownAllowances();
  #epoch = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #lastSentMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Nothing may be written under its id any more; the next one was not answered yet. */
  #isFenced = false;
  /** A new connection that is being told to the store; all who ask meanwhile wait for it, or fail with it. */
  #greeting: Promise<void> | null = null;

  constructor(options: MemberOptions) {
    this.#options = options;
    const { url, newConnection } = options;
    const broken = (error: Error): void => {
      this.#live.forget();
      options.trouble(error);
    };
    this.#writes = new Link({ url, newConnection, broken });
    this.#asks = new Link({
      ...{ url, newConnection },
      broken: (error) => {
        this.#connection = 0;
        broken(error);
      },
    });
    this.flushes = new SharedFunctions(this.#writes);
    this.grants = new SharedFunctions(this.#asks);
    this.limits = new LimitFunctions(this.#asks);
    this.replication = new Replication(this.#writes);
    this.reads = new MoneyReads(this.#asks);
    this.#live = new LiveGateways({ functions: this.grants, limits: this.limits });
  }

  get id(): number {
    return this.#id;
  }

  /** Of all gateways that live, this one has the lowest id. */
  get isFirst(): boolean {
    return this.#live.isFirst;
  }

  /** Grows when the allowances are gone. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The changes of the configuration that this gateway acts on. */
  get configSeq(): number {
    return this.#configSeq;
  }

  /** The configuration that this gateway acts on; it is told with the next flush. */
  actsOn(configSeq: number): void {
    this.#configSeq = Math.max(this.#configSeq, configSeq);
  }

  /** The configuration without which this gateway may not serve. */
  mustActOn(configSeq: number): void {
    this.#mustActOn = configSeq;
  }

  /**
   * There is a change that this gateway can't take in. Its lease is not renewed before it has; from the lease's end on it acts
   * on nothing, so that others need not wait for it.
   */
  cannotActOn(configSeq: number): void {
    this.#mustActOn = Math.max(this.#mustActOn, configSeq);
  }

  /** Gets an id. Rejects if the store can't be reached. */
  async join(): Promise<void> {
    await this.#inTurn(() => this.#join());
    const beat = (): void => {
      void this.#look().finally(() => {
        if (!this.#closed) this.#timer = setTimeout(beat, Math.min(1_000, sharedBeatMs)).unref();
      });
    };
    beat();
  }

  /**
   * Writes a batch, all or nothing. `batch` is the caller's number of it, from 1. If it rejects, the store has it or has
   * it not, and the same batch must be written again before the next one.
   */
  write(batch: number, parts: FlushParts, epoch: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#settle();
      if (batch <= this.#lastBatch) return;
      const known = epoch === this.#epoch ? parts : withoutAllowances(parts);
      this.#pending = { batch, parts: known, seq: this.#seq + 1, sent: null };
      await this.#settle();
    });
  }

  /** Tells that this gateway lives, and what it acts on. */
  beat(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#settle();
      this.#pending = this.#nothingMore();
      await this.#settle();
    });
  }

  /** The id and the number of the connection that grants are asked for under. Rejects if the store can't be reached. */
  async asking(): Promise<{ readonly gateway: number; readonly connection: number }> {
    if (this.#connection === 0) {
      this.#greeting ??= this.#inTurn(() => this.#hello()).finally(() => (this.#greeting = null));
      await this.#greeting;
    }
    return { gateway: this.#id, connection: this.#connection };
  }

  /** Leaves: nothing is written any more, and the allowances are free. */
  async leave(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#options.lease.giveUp();
    try {
      await this.#inTurn(async () => {
        if (this.#id === 0) return;
        await this.#settle();
        await this.flushes.end(this.#id, this.#seq, "left");
      });
    } catch (error) {
      this.#options.trouble(error as Error);
    }
    await Promise.all([this.#writes.close(), this.#asks.close()]);
  }

  /** Under the id of before, the number of what is written next may be that of a flush which others know of. */
  async #joinAnew(): Promise<void> {
    await this.#join();
    this.#isFenced = false;
    this.#options.rejoined();
  }

  async #join(): Promise<void> {
    const { name, release, configHash } = this.#options;
    this.#id = await this.flushes.join(name, release, configHash);
    this.#seq = 0;
    this.#connection = 0;
    this.allowances = new KnownAllowances();
  }

  async #hello(): Promise<void> {
    await this.#settle();
    if (this.#connection !== 0) return;
    const connection = (this.#lastConnection += 1);
    const reply = await this.grants.hello(this.#id, connection);
    if (reply.outcome === "fenced") {
      // The answer to a flush tells how much was applied before.
      this.#pending = this.#nothingMore();
      return this.#hello();
    }
    if (reply.outcome !== "known") throw new Error("another connection asks for this gateway");
    if (reply.seq !== this.#seq) return this.#gap(reply.seq);
    this.#connection = connection;
    for (const { orgId, amount } of this.allowances.lateMoney(reply)) {
      this.#options.lateGrant(orgId, amount);
    }
    const late = this.allowances.lateLimits(reply);
    if (late.rates.length + late.caps.length > 0) this.#options.lateLimits(late);
  }

  /** Writes what is pending, until it is written or the store can't be reached. */
  async #settle(): Promise<void> {
    if (this.#isFenced) await this.#joinAnew();
    while (this.#pending !== null) {
      const { batch, parts, seq, sent: sentBefore } = this.#pending;
      const sent = sentBefore ?? this.#options.lease.now();
      this.#pending = { batch, parts, seq, sent };
      const actsOn = this.#configSeq;
      const configSeq = this.#toldConfigSeq;
      const reply = await this.flushes.flush(this.#id, { ...parts, seq, configSeq });
      if (reply.outcome === "gap") return this.#gap(reply.seq);
      if (reply.outcome === "fenced") {
        // The store that had acknowledged more was another one, or a newer state of this one.
        const known = reply.last?.seq ?? 0;
        if (known < this.#seq) return this.#gap(known);
        if (reply.last?.seq === seq) {
          this.#options.applied(reply.last, parts.returns);
          this.#ended(batch);
        } else this.#pending = { batch, parts: withoutAllowances(parts), seq: 1, sent: null };
        await this.#rejoin();
        continue;
      }
      if (actsOn >= this.#mustActOn) this.#options.lease.renewed(sent);
      this.#lastSentMs = performance.now();
      this.#seq = seq;
      this.#ended(batch);
      this.allowances.took(parts, reply);
      this.#options.applied(reply, parts.returns);
      // The lease of a repeated flush began long ago.
      if (sentBefore !== null) this.#pending = this.#nothingMore();
    }
  }

  /** What the store is told. A change is answered when every gateway has told it, or a later one. */
  get #toldConfigSeq(): number {
    const isWaitedFor = Number.isFinite(this.#mustActOn) && this.#options.lease.isOver;
    return isWaitedFor ? Math.max(this.#configSeq, this.#mustActOn) : this.#configSeq;
  }

  #nothingMore(): Pending {
    return { batch: 0, parts: nothing, seq: this.#seq + 1, sent: null };
  }

  #ended(batch: number): void {
    this.#pending = null;
    if (batch > 0) this.#lastBatch = batch;
  }

  async #rejoin(): Promise<void> {
    this.#epoch += 1;
    this.#mustActOn = Infinity;
    this.#isFenced = true;
    this.#options.lost();
    await this.#joinAnew();
  }

  #gap(seq: number): never {
    const why = `the store has this gateway's flushes up to ${seq}, and has acknowledged ${this.#seq}`;
    this.#options.wentBack(why);
    throw new Error(why);
  }

  /** Beats if nothing was written for a while, and ends gateways that stand still. */
  async #look(): Promise<void> {
    if (performance.now() - this.#lastSentMs < sharedBeatMs) return this.#watch();
    try {
      await this.beat();
    } catch (error) {
      this.#options.trouble(error as Error);
      await new Promise((resolve) => setTimeout(resolve, sharedReconnectMs));
      return;
    }
    await this.#watch();
  }

  async #watch(): Promise<void> {
    try {
      // A grant whose answer was lost lies idle until it is read back, and this gateway may never ask again.
      if (this.#connection === 0 && this.#lastConnection > 0) await this.asking();
      await this.#live.look(this.#id);
    } catch (error) {
      this.#options.trouble(error as Error);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const nothing: FlushParts = {
  ...{ unholds: [], holds: [], debits: [], returns: [], usage: [], rateReturns: [] },
  ...{ events: null, operations: null },
};

/** What a gateway still knows after it was fenced: its costs stand, and its allowances and holds are gone. */
function withoutAllowances(parts: FlushParts): FlushParts {
  const debits = parts.debits.map((debit) => ({ ...debit, paid: microUsd(0n) }));
  const usage = parts.usage.map((use) => ({ ...use, released: 0n }));
  return { ...parts, unholds: [], holds: [], debits, returns: [], usage, rateReturns: [] };
}
