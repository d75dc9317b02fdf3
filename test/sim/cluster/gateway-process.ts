import { settlementFlushWaitMsMax, sharedFollowMs } from "../../../src/contract/limits.ts";
import { Journal, type BatchWriter } from "../../../src/store/journal/journal.ts";
import { SharedAccounts } from "../../../src/store/ledger/shared-accounts.ts";
import { Lease } from "../../../src/store/shared/lease.ts";
import { SharedLedger } from "../../../src/store/shared/ledger.ts";
import { SharedLimits } from "../../../src/store/shared/limits.ts";
import type { Member } from "../../../src/store/shared/member.ts";
import type { SharedThreadData } from "../../../src/store/shared/messages.ts";
import { StoreThread } from "../../../src/store/shared/store-thread.ts";
import { EscrowedUsageWindows } from "../../../src/store/windows/escrowed-usage-windows.ts";
import { SharedRateWindows } from "../../../src/store/windows/shared-rate-windows.ts";
import type { GatewayCopy } from "./gateway-copy.ts";
import type { Machine } from "./machine-time.ts";
import { SimulatedStoreWorker, type SimulatedWorkerOptions } from "./store-worker.ts";

export interface GatewayProcessOptions extends Omit<SimulatedWorkerOptions, "data"> {
  /** It must end. */
  readonly fatal: (why: string) => void;
  readonly trouble: (error: unknown) => void;
  readonly lost: () => void;
}

const slots = 32;

/** One process of a gateway: what `src/app/open-shared.ts` puts together, on a simulated machine. */
export class GatewayProcess {
  readonly machine: Machine;
  readonly copy: GatewayCopy;
  readonly lease = new Lease();
  readonly member: Member;
  readonly thread: StoreThread;
  readonly journal: Journal;
  readonly accounts = new SharedAccounts();
  readonly ledger: SharedLedger;
  readonly rates: SharedRateWindows;
  readonly usage = new EscrowedUsageWindows({ slots });
  readonly limits: SharedLimits;
  /** Of its configuration, as its threads act on it. */
  configSeq = 0;
  /** Of the allowances that it knows of. */
  epoch = 0;
  isReady = false;
  isStopping = false;

  constructor(options: GatewayProcessOptions) {
    const { machine, copy, fatal, trouble, lost } = options;
    this.machine = machine;
    this.copy = copy;
    const data: SharedThreadData = {
      ...{ url: "", databasePath: "", directory: "", halt: new SharedArrayBuffer(8) },
      ...{ lease: this.lease.buffer, log: { name: "log", privateKeyPem: "" } },
      ...{ name: machine.name, release: "1", configHash: "" },
    };
    const worker = new SimulatedStoreWorker({ ...options, data });
    this.member = worker.session.member;
    const news = {
      applied: (...[reply, returns]: Parameters<SharedLedger["applied"]>) => {
        this.ledger.applied(reply, returns);
        this.limits.applied(reply);
      },
      lateGrant: (...grant: Parameters<SharedLedger["lateGrant"]>) =>
        this.ledger.lateGrant(...grant),
      lateLimits: (...late: Parameters<SharedLimits["late"]>) => this.limits.late(...late),
      lost: (epoch: number) => {
        this.epoch = epoch;
        this.ledger.lost(epoch);
        this.limits.lost(epoch);
        lost();
      },
      account: (orgId: string) => void this.ledger.refresh(orgId).catch(trouble),
      recall: (pool: string) => {
        if (pool.startsWith("money ")) this.ledger.recalled(pool.slice("money ".length));
        else this.limits.recall(pool);
      },
      changed: () => {
        this.configSeq = copy.changes;
        return Promise.resolve();
      },
      progress: () => undefined,
      ...{ trouble, fatal },
    };
    this.thread = new StoreThread(data, news, worker);
    const { calls } = this.thread;
    const writer: BatchWriter = {
      write: async (batch) => {
        const written = await this.thread.write(batch);
        if (written.ok) this.ledger.flushed(batch.operations);
        return written;
      },
      apply: () => this.thread.apply(),
      close: () => this.thread.close(),
    };
    this.journal = new Journal({
      ...{ writer, lastBatch: 0, lease: this.lease, applyMs: sharedFollowMs },
      onFlushFailed: trouble,
    });
    this.ledger = new SharedLedger({
      ...{ journal: this.journal, accounts: this.accounts, calls, clock: machine },
      billingUrl: () => "https://billing.example",
      onFailure: trouble,
    });
    const windows = { slots, clock: machine, sharesLimits: true };
    this.rates = new SharedRateWindows(windows);
    const passthrough = new SharedRateWindows(windows);
    this.rates.timeline.start();
    passthrough.timeline.start();
    this.limits = new SharedLimits({
      ...{ calls, rates: this.rates, passthrough, usage: this.usage },
      append: (operation) => this.journal.append([], [operation]),
      hurry: () => void this.journal.flushedAll(settlementFlushWaitMsMax),
    });
  }

  /** False: the store can't be reached, and the process ends. */
  async open(): Promise<boolean> {
    const ready = await this.thread.ready();
    if (!ready.ok) return false;
    this.configSeq = Math.max(this.configSeq, this.copy.changes);
    await this.ledger.open();
    this.isReady = true;
    return true;
  }

  /** What may be spent here of an organization's balance, less what is not flushed. */
  own(orgId: string): bigint {
    const own = this.accounts.change(orgId, ({ balance, elsewhere }) => balance - elsewhere);
    return own.ok ? own.value : 0n;
  }

  held(orgId: string): bigint {
    const held = this.accounts.change(orgId, (account) => account.held);
    return held.ok ? held.value : 0n;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.ledger.close();
    this.limits.close();
    await this.journal.close();
  }
}
