import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { buildIdentity } from "./build-identity.ts";
import type { Configuration } from "../contract/configuration.ts";
import { settlementFlushWaitMsMax, sharedFollowMs } from "../contract/limits.ts";
import { microUsd } from "../contract/money.ts";
import { accept, type Outcome } from "../contract/outcome.ts";
import { systemClock } from "../runtime/clock.ts";
import { noteSigner } from "../store/audit/signed-note.ts";
import { LmdbAuditLog } from "../store/embedded/audit/audit-log.ts";
import {
  demoBalance,
  provisionSharedFirstRun,
  type FirstRun,
  type FirstRunOptions,
} from "../store/embedded/first-run.ts";
import type { OpenedLedger, OpenLedgerOptions } from "../store/embedded/ledger/open-ledger.ts";
import type { JobClaims } from "../store/embedded/jobs/jobs.ts";
import { changesInMemory } from "../store/embedded/row-changes.ts";
import type { Sessions } from "../store/embedded/sessions/sessions.ts";
import type { Store } from "../store/embedded/store.ts";
import type { RowChange } from "../store/embedded/store-draft.ts";
import { Journal, type BatchWriter } from "../store/journal/journal.ts";
import { SharedAccounts } from "../store/ledger/shared-accounts.ts";
import type { SpendingThreads } from "../store/ledger/spending-threads.ts";
import type { Contents, Retentions } from "../store/content/contents.ts";
import type { Erasures } from "../store/content/erasures.ts";
import { SharedContents } from "../store/shared/contents.ts";
import { SharedErasures } from "../store/shared/erasures.ts";
import { Link } from "../store/shared/link.ts";
import { SharedLedger } from "../store/shared/ledger.ts";
import { openCopy, type OpenedCopy } from "../store/shared/open-copy.ts";
import type { GrantAnswer, GrantQuestion } from "../threads/messages.ts";

/** What the readable content of requests needs. */
export interface ContentOptions extends Retentions {
  /** Resolves once everything has arrived that other threads had packed before the call. */
  readonly handedOver: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

export interface OpenedContent {
  readonly contents: Contents;
  readonly erasures: Erasures;
  /** Call it when the erasures were stopped. */
  close(): Promise<void>;
}

/** The store that several gateways share, as this gateway has joined it. */
export class SharedStore {
  readonly #url: string;
  readonly #logger: Logger;
  #troubleToldAtMs = -Infinity;
  #copy: OpenedCopy | null = null;
  #sessions: Sessions | null = null;
  #ledger: SharedLedger | null = null;

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
        applied: (reply, returns) => shared.#ledger?.applied(reply, returns),
        lateGrant: (orgId, amount) => shared.#ledger?.lateGrant(orgId, amount),
        lateLimits: () => undefined,
        lost: (epoch) => {
          logger.error("other gateways took this one for dead; it goes on under another id");
          shared.#ledger?.lost(epoch);
        },
        account: (orgId) => void shared.#ledger?.refresh(orgId).catch(shared.#trouble),
        recall: (pool) => {
          const [kind, id = ""] = pool.split(" ", 2);
          if (kind === "money") shared.#ledger?.recalled(id);
        },
        changed: (rows) => shared.#changed(rows),
        progress: (done, total) =>
          logger.info({ done, total }, "this gateway's copy of the log is being made"),
        trouble: (why) => shared.#trouble(new Error(why)),
        fatal: (why) => fatal(new Error(why)),
      },
    });
    shared.#opened.store.changesGoTo(shared.#opened.thread);
    logger.warn("rate limits, usage limits and budgets count at each gateway alone");
    return shared;
  }

  get store(): Store {
    return this.#opened.store;
  }

  get lease(): OpenedCopy["lease"] {
    return this.#opened.lease;
  }

  /** Asks for the other threads. Never rejects. */
  readonly grant = ({ orgId, estimate }: GrantQuestion): Promise<GrantAnswer> =>
    this.#ledger?.money(orgId, microUsd(estimate)) ?? Promise.resolve({ outcome: "away" });

  readonly jobClaims: JobClaims = {
    claim: (jobIds) => this.#opened.thread.calls.claimJobs(jobIds),
  };

  /** As `provisionFirstRun`. Another gateway that starts at the same moment does it once. */
  async provision(options: FirstRunOptions): Promise<Outcome<FirstRun | null>> {
    const { store, thread } = this.#opened;
    const others = (await thread.calls.liveGateways()).length - 1;
    const provisioned = await provisionSharedFirstRun(store, options, others === 0);
    if (!provisioned.ok || provisioned.value === null) return provisioned;
    const { id } = provisioned.value.organization;
    await thread.calls.topUp(id, "top_up", demoBalance, "opening-balance");
    return provisioned;
  }

  attach(sessions: Sessions): void {
    this.#sessions = sessions;
  }

  /** As `openLedger`. Rejects if the shared store can't be reached. */
  async openBooks(options: OpenLedgerOptions): Promise<Outcome<OpenedLedger>> {
    const { store, thread, lease } = this.#opened;
    let others: SpendingThreads | null = null;
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
      onFlushFailed: options.onFailure,
      onFlush: () => others?.flushBegins() ?? (() => undefined),
      ...(options.onRecovered === undefined ? {} : { onFlushResumed: options.onRecovered }),
    });
    const accounts = new SharedAccounts();
    const ledger = new SharedLedger({
      ...{ journal, accounts, calls: thread.calls, clock: options.clock ?? systemClock },
      billingUrl: options.billingUrl,
      onFailure: options.onFailure,
      handedOver: async () => others?.handedOver(),
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
        await others?.handedOver();
        await journal.flushedAll(settlementFlushWaitMsMax);
        return thread.publish();
      },
    });
    return accept({
      ledger,
      accounts: accounts.buffer,
      takeOver: (packed, operations) => ledger.takeOver(packed, operations),
      shareWith: (threads) => {
        others = threads;
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

  /** Another gateway has changed the configuration. Resolves when all threads act on it. */
  async #changed(rows: readonly RowChange[]): Promise<void> {
    if (this.#copy === null) return;
    const { changes } = this.#copy.store;
    for (const { name, change } of changesInMemory(rows)) {
      changes.receive({ name, change });
      changes.tell(name, change);
    }
    this.#sessions?.takeIn(rows);
    await changes.spread();
  }
}

const troubleMs = 5_000;

/** Tells operators whether two gateways are configured alike. Secrets are not part of it. */
function hashOf({ pricing, security, scan, tokenCounts, billing }: Configuration): string {
  const alike = JSON.stringify({ pricing, security, scan, tokenCounts, billing });
  return createHash("sha256").update(alike).digest("hex").slice(0, 16);
}
