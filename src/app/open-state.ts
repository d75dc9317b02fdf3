import type { Logger } from "pino";
import { withdraw } from "./addresses.ts";
import { billingUrlOf, type BoundPort } from "./bound-port.ts";
import type { Configuration } from "../contract/configuration.ts";
import { startDemo, withDemoProvider } from "./demo-accounts.ts";
import { openManagedResources, type ManagedResources } from "./managed-resources.ts";
import { openWindows, type OpenWindows, type WindowsFailed } from "./open-limits.ts";
import { Accounts } from "../pipeline/routing/accounts.ts";
import { entryResolver } from "../config/accounts.ts";
import type { FileAccounts } from "../contract/account.ts";
import { resolvedAccounts } from "../pipeline/routing/provider-accounts.ts";
import type { ChangesSink } from "../store/embedded/changes.ts";
import type { Contents } from "../store/content/contents.ts";
import type { Erasures } from "../store/content/erasures.ts";
import { ProviderStateReaper } from "../store/embedded/provider-state-reaper.ts";
import type { Outcome } from "../contract/outcome.ts";
import { systemClock } from "../runtime/clock.ts";
import { firstRunShown, provisionFirstRun, type FirstRun } from "../store/embedded/first-run.ts";
import type { JobClaims } from "../store/embedded/jobs/jobs.ts";
import { openKeys, type Keys } from "../store/embedded/keys/keys.ts";
import {
  openLedger,
  type OpenedLedger,
  type OpenLedgerOptions,
} from "../store/embedded/ledger/open-ledger.ts";
import type { SpendingThreads } from "../store/ledger/spending-threads.ts";
import { UnownedResponses } from "../pipeline/record/unowned-responses.ts";
import { ownContent, type ContentOptions } from "./open-content.ts";
import { SharedStore } from "./open-shared.ts";
import type { Lease } from "../store/shared/lease.ts";
import type { GrantAnswer, GrantQuestion } from "../threads/messages.ts";
import { openReadModel } from "../store/embedded/records/open-read-model.ts";
import { Sessions } from "../store/embedded/sessions/sessions.ts";
import type { Author } from "../store/embedded/store-draft.ts";
import { openStore, type Store } from "../store/embedded/store.ts";
import type { ReadModel } from "../store/read-model/read-model.ts";

export interface OtherCaches {
  /** Resolves when no other gateway gives an answer any more that it had of the organization. Errors: `internal_error`. */
  forget(orgId: string, author: Author): Promise<Outcome<unknown>>;
  /** `forgetHere`: what another gateway's `forget` does in this one. */
  forgetWith(forgetHere: (orgId: string) => void): void;
}

/** The state of the process. It is opened once, and everything that serves requests uses it. */
export interface State {
  readonly store: Store;
  /** The keys that were made at the first start; null at every other start. */
  readonly firstRun: FirstRun | null;
  /** Must be called when the keys were shown. Otherwise the next start counts as the first again. */
  firstRunShown(): Promise<void>;
  readonly keys: Keys;
  /** Of the dashboard. */
  /** Decides which gateway runs a batch job; absent: this one runs all. */
  readonly jobClaims: JobClaims | undefined;
  readonly sessions: Sessions;
  readonly managed: ManagedResources;
  readonly fileAccounts: FileAccounts;
  readonly accounts: Accounts;
  readonly books: OpenedLedger;
  /** How long this gateway may act on what it knows; null: it shares no store. */
  readonly lease: Lease | null;
  /** Asks the shared store, for the other threads; absent: there is none. */
  readonly grant: ((question: GrantQuestion) => Promise<GrantAnswer>) | undefined;
  /** The response caches of other gateways; null: this one shares no store. */
  readonly otherCaches: OtherCaches | null;
  readonly contents: Contents;
  readonly erasures: Erasures;
  readonly windows: OpenWindows;
  /** Answers questions on records. */
  readonly readModel: ReadModel;
  /** What no event tells of. */
  readonly unowned: UnownedResponses;
  /** Must be called once, before other threads serve from this state. */
  shareWith(threads: SpendingThreads & ChangesSink): void;
  /** Must be called once no account of the built-in demo is used any more. */
  stopDemo(): Promise<void>;
  /** For a start that fails: other gateways need not wait for this one any more. */
  leave(): Promise<void>;
  /** Writes everything that waits, and lets others open the data directory. */
  close(): Promise<void>;
}

async function ownStore(dataDir: string, logger: Logger): Promise<Store> {
  const opened = await openStore({ dataDir });
  if (!opened.ok) throw new Error(opened.fault);
  if (opened.replayedBatches > 0) {
    const batches = opened.replayedBatches;
    logger.warn({ batches }, "the store got what a crash had left in the journal's file");
  }
  return opened.value;
}

/**
 * Opens the data directory and everything in it. Throws with a reason that a person can act on. `fatal` is called if
 * nothing may go on.
 */
export async function openState(
  configuration: Configuration,
  logger: Logger,
  env: NodeJS.ProcessEnv,
  boundPort: BoundPort,
  fatal: (error: Error) => void,
): Promise<State> {
  const resolve = entryResolver(env);
  const settings = configuration.gateway;
  const shared =
    configuration.store.type === "postgres"
      ? await SharedStore.open(configuration.store.url, configuration, logger, fatal)
      : null;
  const store = shared?.store ?? (await ownStore(settings.dataDir, logger));
  withdraw(settings.dataDir);
  const firstRun = { operatorKey: settings.operatorKey };
  const provisioned = await (shared?.provision(firstRun) ?? provisionFirstRun(store, firstRun));
  if (!provisioned.ok) throw new Error(provisioned.refusal.message);
  const keys = openKeys(store, {
    onCheckFailed: (error) => logger.error({ err: error }, "the keys can't be checked"),
  });
  const sessions = new Sessions(store, keys, {
    onFailure: (error) => logger.error({ err: error }, "the sessions could not be written"),
  });
  shared?.attach(sessions);
  const demo = await startDemo(configuration.providers);
  const fileAccounts: FileAccounts = {
    accounts: withDemoProvider(configuration.providers, demo),
    builtInDemo: configuration.builtInDemo,
  };
  const managed = openManagedResources(
    store,
    keys,
    () => accounts.replace(resolvedAccounts(fileAccounts, managed.providers.all(), resolve)),
    (error) => logger.error({ err: error }, "the store can't be checked"),
  );
  const accounts = new Accounts(resolvedAccounts(fileAccounts, managed.providers.all(), resolve));
  const booksOptions: OpenLedgerOptions = {
    billingUrl: billingUrlOf(configuration, boundPort),
    holdsMax: configuration.billing.holdsPerOrganizationMax,
    onFailure: (error) => logger.error({ err: error }, "the books could not be written"),
    onRefused: (error) => logger.error({ err: error }, "the books refused an entry"),
    onRecovered: () => logger.warn("the books are written again"),
  };
  const openedBooks = await (shared?.openBooks(booksOptions) ?? openLedger(store, booksOptions));
  if (!openedBooks.ok) throw new Error(openedBooks.refusal.message);
  const books = openedBooks.value;
  let others: SpendingThreads | null = null;
  const contentOptions: ContentOptions = {
    handedOver: async () => others?.handedOver(),
    retentions: () => managed.organizations.retentions(),
    retentionDays: (id) => managed.organizations.find(id)?.retentionDays ?? null,
    onFailure: (error) =>
      logger.error({ err: error }, "readable content could not be kept, removed or erased"),
  };
  const content = await (shared?.openContent(contentOptions) ??
    ownContent(store, books, settings.dataDir, contentOptions));
  const { contents, erasures } = content;
  void erasures.resume();
  const providerStateReaper = new ProviderStateReaper({
    rows: store.journal.providerState,
    journal: books.journal,
    clock: systemClock,
    retentionDays: (id) => managed.organizations.find(id)?.retentionDays ?? null,
    onFailure: (error) =>
      logger.error({ err: error }, "old ids of provider state could not be removed"),
  });
  const windowsFailed: WindowsFailed = (error, message) => logger.error({ err: error }, message);
  const windows =
    shared?.openWindows(books.journal, windowsFailed) ??
    openWindows(store.journal, books.journal, windowsFailed);
  const readModel = openReadModel(store, {
    onTrouble: (message) => logger.error(message),
    onState: ({ done, total, rebuilding }) => {
      if (rebuilding) logger.info({ done, total }, "the records are being read from the audit log");
    },
  });
  return {
    store,
    firstRun: provisioned.value,
    firstRunShown: async () => {
      const noted = await firstRunShown(store);
      if (!noted.ok) logger.error({ err: noted.refusal }, "the next start replaces the keys shown");
    },
    keys,
    lease: shared?.lease ?? null,
    grant: shared?.grant,
    jobClaims: shared?.jobClaims,
    sessions,
    managed,
    fileAccounts,
    accounts,
    books,
    otherCaches:
      shared === null
        ? null
        : {
            forget: (orgId, author) => managed.organizations.touch(orgId, author),
            forgetWith: (forgetHere) => shared.onOrganization(forgetHere),
          },
    contents,
    erasures,
    windows,
    readModel,
    unowned: new UnownedResponses(),
    shareWith: (threads) => {
      others = threads;
      books.shareWith(threads);
      store.changes.sendTo(threads);
    },
    stopDemo: async () => demo?.close(),
    leave: async () => shared?.leave(),
    close: async () => {
      managed.close();
      erasures.stop();
      providerStateReaper.stop();
      await readModel.close();
      keys.close();
      await sessions.stop();
      // While the books are open, their thread writes.
      await keys.writeUses();
      await windows.close();
      await books.close();
      await content.close();
      await store.close();
    },
  };
}
