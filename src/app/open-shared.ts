import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { buildIdentity } from "./build-identity.ts";
import type { Configuration } from "../contract/configuration.ts";
import { settlementFlushWaitMsMax, sharedFollowMs, sharedLeaveMsMax } from "../contract/limits.ts";
import { microUsd } from "../contract/money.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock } from "../runtime/clock.ts";
import { noteSigner } from "../store/audit/signed-note.ts";
import { LmdbAuditLog } from "../store/embedded/audit/audit-log.ts";
import type { FirstRun, FirstRunOptions } from "../store/embedded/first-run.ts";
import type { OpenedLedger, OpenLedgerOptions } from "../store/embedded/ledger/open-ledger.ts";
import type { JobClaims } from "../store/embedded/jobs/jobs.ts";
import { changesInMemory } from "../store/embedded/row-changes.ts";
import type { Sessions } from "../store/embedded/sessions/sessions.ts";
import type { Store, StoreWriter } from "../store/embedded/store.ts";
import type { RowChange } from "../store/embedded/store-draft.ts";
import { Journal, type BatchWriter } from "../store/journal/journal.ts";
import { SharedAccounts } from "../store/ledger/shared-accounts.ts";
import type { SpendingThreads } from "../store/ledger/spending-threads.ts";
import { SharedContents } from "../store/shared/contents.ts";
import { SharedErasures } from "../store/shared/erasures.ts";
import { Link } from "../store/shared/link.ts";
import { SharedLedger } from "../store/shared/ledger.ts";
import { openCopy, type OpenedCopy } from "../store/shared/open-copy.ts";
import type { SharedLimits } from "../store/shared/limits.ts";
import type { OpenWindows, WindowsFailed } from "./open-limits.ts";
import type { ContentOptions, OpenedContent } from "./open-content.ts";
import { idsIn, openSharedLimits } from "./open-shared-limits.ts";
import { provisionShared } from "./shared-first-run.ts";
import type { GrantAnswer, GrantQuestion } from "../threads/messages.ts";

/** The store that several gateways share, as this gateway has joined it. */
export class SharedStore {
  readonly #url: string;
  readonly #logger: Logger;
  #troubleToldAtMs = -Infinity;
  #copy: OpenedCopy | null = null;
  #sessions: Sessions | null = null;
  #organizationChanged: (orgId: string) => void = () => undefined;
  #ledger: SharedLedger | null = null;
  #limits: SharedLimits | null = null;
  #others: SpendingThreads | null = null;
  #jobsLost: () => void = () => undefined;

  private constructor(url: string, logger: Logger) {
    this.#url = url;
    this.#logger = logger;
  }

  /** Throws with a reason that a person can act on. */
  static async open(
    url: string,
    configuration: Configuration,
    logger: Logger,
    fatal: (error: Error) => void,
  ): Promise<SharedStore> {
    const shared = new SharedStore(url, logger);
    shared.#copy = await openCopy({
      ...{ url, dataDir: configuration.gateway.dataDir, release: buildIdentity().version },
      configHash: hashOf(configuration),
      news: {
        applied: (reply, returns) => {
          shared.#ledger?.applied(reply, returns);
          shared.#limits?.applied(reply);
        },
        lateGrant: (orgId, amount) => shared.#ledger?.lateGrant(orgId, amount),
        lateLimits: (late) => shared.#limits?.late(late),
        lost: (epoch) => {
          logger.error("other gateways took this one for dead; it goes on under another id");
          shared.#ledger?.lost(epoch);
          shared.#limits?.lost(epoch);
          shared.#jobsLost();
        },
        account: (orgId) => void shared.#ledger?.refresh(orgId).catch(shared.#trouble),
        recall: (pool) => {
          const [kind, id = ""] = pool.split(" ", 2);
          if (kind === "money") shared.#ledger?.recalled(id);
          else shared.#limits?.recall(pool);
        },
        changed: (rows) => shared.#changed(rows),
        progress: (done, total) =>
          logger.info({ done, total }, "this gateway's copy of the log is being made"),
        trouble: (why) => shared.#trouble(new Error(why)),
        fatal: (why) => fatal(new Error(why)),
      },
    });
    shared.#opened.store.changesGoTo(shared.#ownChanges());
    return shared;
  }

  get store(): Store {
    return this.#opened.store;
  }

  get lease(): OpenedCopy["lease"] {
    return this.#opened.lease;
  }

  /** Asks for the other threads. Never rejects. */
  readonly grant = async (question: GrantQuestion): Promise<GrantAnswer> => {
    switch (question.pool) {
      case "money":
        return (await this.#ledger?.money(question.orgId, microUsd(question.estimate))) ?? away;
      case "rate": {
        const { table, id, limit, short } = question;
        return (await this.#limits?.rate(table, id, limit, short)) ?? away;
      }
      case "cap":
        return (await this.#limits?.cap(question.cap, question.short)) ?? away;
    }
  };

  readonly jobClaims: JobClaims = {
    claim: (jobIds) => this.#opened.thread.calls.claimJobs(jobIds),
    onLost: (lost) => {
      this.#jobsLost = lost;
    },
  };

  provision(options: FirstRunOptions): Promise<Outcome<FirstRun | null>> {
    const { store, thread } = this.#opened;
    return provisionShared(store, thread.calls, options, this.#logger);
  }

  /** For a start that has failed: the others don't have to take this gateway for dead first. */
  async leave(): Promise<void> {
    await Promise.race([
      this.#opened.thread.close(),
      new Promise((resolve) => setTimeout(resolve, sharedLeaveMsMax).unref()),
    ]);
  }

  attach(sessions: Sessions): void {
    this.#sessions = sessions;
  }

  /** `changed` is called when another gateway changes an organization, and has ended when the change is answered. */
  onOrganization(changed: (orgId: string) => void): void {
    this.#organizationChanged = changed;
  }

  /** As `openLedger`. Rejects if the shared store can't be reached. */
  async openBooks(options: OpenLedgerOptions): Promise<Outcome<OpenedLedger>> {
    const { store, thread, lease } = this.#opened;
    const writer: BatchWriter = {
      write: async (batch) => {
        const written = await thread.write(batch);
        if (written.ok) this.#ledger?.flushed(batch.operations);
        return written;
      },
      apply: () => thread.apply(),
      close: () => thread.close(),
    };
    const journal = new Journal({
      ...{ writer, lastBatch: 0, lease, applyMs: sharedFollowMs },
      onFlushFailed: (reason) => {
        this.#others?.flushFailed();
        options.onFailure(reason);
      },
      onFlush: () => this.#others?.flushBegins() ?? (() => undefined),
      onFlushResumed: () => {
        this.#others?.flushResumed();
        options.onRecovered?.();
      },
    });
    const accounts = new SharedAccounts();
    const ledger = new SharedLedger({
      ...{ journal, accounts, calls: thread.calls, clock: options.clock ?? systemClock },
      billingUrl: options.billingUrl,
      onFailure: options.onFailure,
      handedOver: () => this.#handedOver(),
      ...(options.holdsMax === undefined ? {} : { holdsMax: options.holdsMax }),
    });
    await ledger.open();
    this.#ledger = ledger;
    const key = store.tables.auditKeys.get("signing");
    if (key === undefined) throw new Error("the copy of the store has no key of the log");
    const { verifierKey } = noteSigner(key.name, key.privateKeyPem);
    const auditLog = new LmdbAuditLog(store.journal, verifierKey, {
      caughtUp: async () => {
        await journal.flushedAll(settlementFlushWaitMsMax);
        await thread.apply();
      },
      publish: async () => {
        await this.#handedOver();
        await journal.flushedAll(settlementFlushWaitMsMax);
        return thread.publish();
      },
    });
    return accept({
      ledger,
      accounts: accounts.buffer,
      takeOver: (packed, operations) => ledger.takeOver(packed, operations),
      shareWith: (threads) => {
        this.#others = threads;
      },
      journal,
      auditLog,
      close: async () => {
        ledger.close();
        await journal.close();
        store.changesGoTo(null);
      },
    });
  }

  /** As `openWindows`. `journal`: of the books. */
  openWindows(journal: Journal, failed: WindowsFailed): OpenWindows {
    const { calls } = this.#opened.thread;
    const opened = openSharedLimits({
      ...{ journal, calls, failed, trouble: this.#trouble },
      flushed: async () => {
        await this.#handedOver();
        await journal.flushedAll(settlementFlushWaitMsMax);
      },
    });
    this.#limits = opened.limits;
    return opened.windows;
  }

  /** Rejects if the shared store can't be reached. */
  async openContent(options: ContentOptions): Promise<OpenedContent> {
    const { onFailure } = options;
    // Content is large, so it has a connection of its own.
    const database = new Link({ url: this.#url, broken: this.#trouble });
    const contents = await SharedContents.open({ ...options, database });
    const erasures = new SharedErasures({ database, contents, onFailure });
    const close = async (): Promise<void> => {
      await contents.close();
      await database.close();
    };
    return { contents, erasures, close };
  }

  /** Resolves when this thread has everything that others had counted before. */
  async #handedOver(): Promise<void> {
    await this.#others?.handedOver();
  }

  get #opened(): OpenedCopy {
    if (this.#copy === null) throw new Error("the shared store is not open yet");
    return this.#copy;
  }

  /** Every connection and every try has its trouble, so it is told now and then. */
  readonly #trouble = (error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs - this.#troubleToldAtMs < troubleMs) return;
    this.#troubleToldAtMs = nowMs;
    const why = error instanceof Error ? error.message : String(error);
    this.#logger.warn({ why }, "the shared store gives trouble");
  };

  /** Writes this gateway's own changes. A change counts as in force here when no part of an old limit is left. */
  #ownChanges(): StoreWriter {
    const { thread } = this.#opened;
    let rows: readonly RowChange[] = [];
    return {
      change: async (write, basedOn) => {
        const changed = await thread.change(write, basedOn);
        if (changed !== "behind" && changed.ok) rows = [...rows, ...write.rows];
        return changed;
      },
      tookIn: (seq) => {
        this.#limits?.changed(idsIn(rows));
        rows = [];
        thread.tookIn(seq);
      },
      inForce: () => thread.inForce(),
    };
  }

  /** Another gateway has changed the configuration. Resolves when all threads act on it. */
  async #changed(rows: readonly RowChange[]): Promise<void> {
    if (this.#copy === null) return;
    const { changes } = this.#copy.store;
    for (const { table, key } of rows) {
      // First, because what threads are sent is taken in when all that follows is.
      if (table === "organizations") this.#organizationChanged(String(key));
    }
    for (const { name, change } of changesInMemory(rows)) {
      changes.receive({ name, change });
      changes.tell(name, change);
    }
    this.#sessions?.takeIn(rows);
    await changes.spread();
    this.#limits?.changed(idsIn(rows));
  }
}

const away: GrantAnswer = { outcome: "away" };

const troubleMs = 5_000;

/** Tells operators whether two gateways are configured alike. Secrets are not part of it. */
function hashOf({ pricing, security, scan, tokenCounts, billing }: Configuration): string {
  const alike = JSON.stringify({ pricing, security, scan, tokenCounts, billing });
  return createHash("sha256").update(alike).digest("hex").slice(0, 16);
}
