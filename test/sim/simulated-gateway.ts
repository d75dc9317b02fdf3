import { PriceCatalog } from "../../src/billing/catalog.ts";
import { scanRates } from "../../src/billing/scan-price.ts";
import type { ApiKey } from "../../src/contract/identity.ts";
import { refuse } from "../../src/contract/errors.ts";
import { wires } from "../../src/contract/wire.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { ProviderAccount } from "../../src/contract/account.ts";
import { catchUpOf } from "../../src/app/open-provider-state.ts";
import { Accounts } from "../../src/pipeline/routing/accounts.ts";
import type { Forward } from "../../src/exchange/exchange.ts";
import { TrustedProxies } from "../../src/pipeline/limits/client-address.ts";
import { RateLimits } from "../../src/pipeline/limits/rate-limits.ts";
import type { RequestServices } from "../../src/pipeline/context.ts";
import type { PaidScanServices } from "../../src/endpoints/scan/paid-scan.ts";
import { sinceArrivalMs, type Records } from "../../src/pipeline/record/record.ts";
import { requestEvent } from "../../src/pipeline/record/request-event.ts";
import type { ScanServices } from "../../src/endpoints/scan/scan.ts";
import { ResultsUrls } from "../../src/pipeline/upstream/results-url.ts";
import type { Scan } from "../../src/pipeline/screen/screen.ts";
import { applyBatch, type JournalOperation } from "../../src/store/journal/batch.ts";
import type { JournalMark } from "../../src/store/journal/flush-waiters.ts";
import { Journal, type BatchWriter } from "../../src/store/journal/journal.ts";
import { debit } from "../../src/store/ledger/account-changes.ts";
import { changed } from "../../src/store/ledger/account-states.ts";
import { JournalLedger } from "../../src/store/embedded/ledger/journal-ledger.ts";
import { StoredProviderState } from "../../src/store/embedded/provider-state.ts";
import type { ProviderState } from "../../src/store/provider-state/provider-state.ts";
import type { LedgerCounts } from "../../src/store/ledger/ledger.ts";
import type { SpendingOperation } from "../../src/store/ledger/spending.ts";
import { SharedAccounts } from "../../src/store/ledger/shared-accounts.ts";
import { SharedRateWindows } from "../../src/store/windows/shared-rate-windows.ts";
import { openUsageWindows, type OpenUsageWindows } from "../../src/store/windows/open-windows.ts";
import { SharedUsageWindows } from "../../src/store/windows/shared-usage-windows.ts";
import type { UsageWindows } from "../../src/store/windows/usage-windows.ts";
import { ProxyThreads } from "../../src/threads/proxy-threads.ts";
import { SharedFlags } from "../../src/threads/shared-flags.ts";
import { inputMicroUsd, outputMicroUsd } from "./answers.ts";
import { BooksInHand } from "./books-in-hand.ts";
import { MemoryStore } from "./memory-store.ts";
import type { Random } from "./random.ts";
import { SimulatedThread } from "./simulated-thread.ts";
import { textOf } from "./text-of.ts";
import { usageLimitsOf, usageSlots } from "./usage-oracle.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { WitnessedSpender, type Witness } from "./witnessed-spender.ts";

/** Micro-dollars of a scanned token, and the fewest tokens that are billed. */
export const scanMicroUsd = 100;
export const scanTokensMin = 100;

/** What stands around the gateway: the world decides how it behaves. */
export interface Surroundings extends Omit<Witness, "holds" | "debitAgain"> {
  readonly writer: BatchWriter;
  /** What LMDB has. */
  readonly readers: MemoryStore;
  readonly time: VirtualTime;
  readonly random: Random;
  /** Proxy threads: 1, or 2. */
  readonly threads: number;
  readonly forward: Forward;
  readonly scan: Scan;
  readonly report: PaidScanServices["report"];
  /** Called in the middle of each change of an account that a thread makes, 0 the main one. */
  readonly standStill: (thread: number) => void;
}

interface Hearing {
  readonly violated: (violation: string) => void;
  readonly flushBegins: () => () => void;
  readonly flushFailed: () => void;
  readonly flushResumed: () => void;
}

/** Knows what the store would hold if all that was appended were written at once. */
class WatchedJournal extends Journal {
  readonly appended: MemoryStore;
  #batches: number;

  constructor(readers: MemoryStore, writer: BatchWriter, hears: Hearing) {
    const { lastBatch } = readers.reads;
    super({
      writer,
      lastBatch,
      onFlush: hears.flushBegins,
      onFlushFailed: hears.flushFailed,
      onFlushResumed: hears.flushResumed,
    });
    this.appended = new MemoryStore(hears.violated, readers);
    this.#batches = lastBatch;
  }

  override append(
    events: readonly string[],
    operations: readonly JournalOperation[] = [],
  ): JournalMark {
    const mark = super.append(events, operations);
    this.#batches += 1;
    const batch = { number: this.#batches, events: [], operations };
    this.appended.transaction(() => applyBatch(this.appended.tables, batch));
    return mark;
  }
}

/** What a thread serves requests with. */
export interface ServingThread {
  readonly spender: WitnessedSpender;
  readonly services: RequestServices;
  readonly scanServices: ScanServices;
}

/** One life of a gateway process, from its start to a crash or a stop, over what was durable. */
export class SimulatedGateway {
  readonly ledger: JournalLedger;
  readonly books: BooksInHand;
  readonly usage: OpenUsageWindows;
  /** The main thread first. */
  readonly serving: readonly [ServingThread, ...ServingThread[]];
  readonly #journal: WatchedJournal;
  readonly #threads: ProxyThreads | null;

  constructor(surroundings: Surroundings) {
    const { readers, writer, oracle, time, random } = surroundings;
    const threads = (): ProxyThreads | null => this.#threads;
    this.#journal = new WatchedJournal(readers, writer, {
      violated: oracle.fail,
      flushBegins: () => threads()?.flushBegins() ?? (() => undefined),
      flushFailed: () => threads()?.flushFailed(),
      flushResumed: () => threads()?.flushResumed(),
    });
    const accounts = new SharedAccounts(undefined, () => surroundings.standStill(0));
    const billing = { billingUrl: () => "https://billing.example", holdsMax: 20 };
    const witnessOf = (entered: (operations: readonly SpendingOperation[]) => void): Witness => ({
      ...surroundings,
      holds: (id) => this.books.holdsFor(id),
      debitAgain: (orgId, requestId, charge) => {
        const taken = changed(accounts, orgId, (account) => debit(account, charge.cost));
        if (!taken) return;
        oracle.doubled.add(requestId);
        const by = { apiKeyId: "key_twice", team: null };
        entered([{ kind: "debit", requestId, orgId, by, charge }]);
      },
    });
    this.ledger = new JournalLedger({
      journal: this.#journal,
      reads: readers.reads,
      accounts,
      clock: time,
      others: async () => threads()?.handedOver(),
      onFailure: (error) => oracle.heardOf(error),
      ...billing,
    });
    const counting = { slots: usageSlots, clock: time };
    this.usage = openUsageWindows(readers.tables, this.#journal, counting);
    const spender = new WitnessedSpender(
      this.ledger,
      witnessOf((operations) => this.ledger.takeOver(null, operations)),
    );
    const stateOf = (catchUp: () => Promise<void>): StoredProviderState =>
      new StoredProviderState({
        rows: {
          get: (key) => readers.tables.providerState.get(key),
          resetReadTxn: () => undefined,
        },
        clock: time,
        retentionDays: () => null,
        catchUp,
      });
    const providerState = stateOf(catchUpOf(this.#journal, threads));
    const main = servingThread(spender, this.usage, providerState, surroundings);
    if (surroundings.threads === 1) {
      this.#threads = null;
      this.serving = [main];
      this.books = new BooksInHand(this.#journal.appended, () => []);
      return;
    }
    const words = new SharedFlags(1);
    const between = (): void => surroundings.standStill(1);
    const shared = { words, accounts: new SharedAccounts(accounts.buffer, between), ...billing };
    const thread = new SimulatedThread({ ...shared, time, random });
    this.books = new BooksInHand(this.#journal.appended, () => thread.underWay);
    const { ledger } = this;
    this.#threads = new ProxyThreads({
      words,
      books: {
        takeOver: (packed, operations) => ledger.takeOver(packed, operations),
        journal: this.#journal,
      },
      contents: { keepPacked: () => undefined },
      keys: { noteUses: () => undefined },
      log: () => undefined,
      serve: () => Promise.resolve(oracle.fail("a request was handed over")),
      caughtUp: () => providerState.caughtUp(),
      died: (error) => oracle.fail(textOf(error)),
    });
    void this.#threads.start([thread]);
    const otherSpender = new WitnessedSpender(
      thread.spending,
      witnessOf((operations) => thread.enter(operations)),
    );
    const usage = new SharedUsageWindows({ ...counting, buffer: this.usage.buffer });
    const otherState = stateOf(() => thread.catchUp());
    this.serving = [main, servingThread(otherSpender, usage, otherState, surroundings)];
  }

  /** Of all threads. */
  count(what: Exclude<keyof LedgerCounts, "lowBalances">): number {
    return this.serving.reduce((sum, { spender }) => sum + spender.counts[what], 0);
  }

  /** What SIGTERM does once requests had their time. */
  async stop(): Promise<void> {
    await this.#threads?.drain(0);
    this.ledger.close();
    this.usage.close();
    await this.#journal.close();
  }
}

function servingThread(
  spender: WitnessedSpender,
  windows: UsageWindows,
  providerState: ProviderState,
  surroundings: Surroundings,
): ServingThread {
  const { time, scan, forward, report } = surroundings;
  const findOrganization = (): undefined => undefined;
  const rateLimits = new RateLimits({
    windows: new SharedRateWindows({ slots: 64, clock: time }),
    passthroughWindows: new SharedRateWindows({ slots: 64, clock: time }),
    grants: null,
    findOrganization,
    scansPerMinute: 1_000_000,
    tokenCountsPerMinute: 1_000_000,
    proxies: new TrustedProxies([]),
    rejected: () => undefined,
  });
  const records: Records = (record, exchange) => {
    const event = requestEvent(record, exchange, sinceArrivalMs(exchange));
    if (event !== null) spender.recordRequest(event);
  };
  const payments = { ledger: spender, findOrganization };
  const findKey = (secret: string) => accept<ApiKey>({ ...key, orgId: secret.slice(prefix) });
  return {
    spender,
    services: {
      findKey,
      rateLimits,
      usageLimits: {
        windows,
        grants: null,
        findOrganization,
        limitsFor: usageLimitsOf,
        rejected: () => undefined,
        count: (usage) => spender.count(usage),
      },
      scan,
      policy: { injection: { action: "block", sensitivity: "balanced" } },
      // Nobody has a policy of their own, so nothing is searched for.
      findPolicy: () => undefined,
      applyRules: () => Promise.resolve(refuse("detector_unavailable", "Nobody has rules.")),
      searchSteps: () => Promise.resolve(refuse("detector_unavailable", "Nobody has rules.")),
      cache: null,
      resultsUrls: new ResultsUrls(null),
      accounts: new Accounts([account("p-1"), account("p-2")]),
      checkUpstream: () => refuse("ssrf_blocked", "No request names an upstream."),
      forward,
      keylessPassthrough: false,
      findPrice: (provider, model, at) => prices.priceOf(provider, model, at),
      payments,
      providerState,
      wallMs: () => time.wallMs(),
      records,
    },
    scanServices: {
      findKey,
      rateLimits,
      records,
      payments,
      rates: scanRates({
        injectionUsdPerMillion: String(scanMicroUsd),
        entityUsdPerMillion: "0",
        minimumBillableTokens: scanTokensMin,
      }),
      contentBytesMax: 100_000,
      report,
      searchPatterns: () => Promise.resolve(refuse("invalid_request", "A pattern is wrong.")),
    },
  };
}

const prefix = "sk-gw-".length;

const key: ApiKey = {
  id: "key_1",
  orgId: null,
  name: "k",
  label: "sk-gw-…",
  role: "member",
  status: "active",
  rateLimit: null,
  allowedModels: null,
  responseCache: null,
  securityPolicyId: null,
  team: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
};

const prices = new PriceCatalog(
  { source: "simulation", providers: {} },
  {
    "p/m": {
      inputUsdPerMillion: String(inputMicroUsd),
      outputUsdPerMillion: String(outputMicroUsd),
      contextTokensMax: 100_000,
      outputTokensMax: 3_000,
    },
  },
);

function account(name: string): ProviderAccount {
  return {
    name,
    provider: "p",
    type: "openai",
    origin: "https://provider.example",
    basePath: "",
    apiPath: "/v1",
    query: "",
    credentialHeader: null,
    wires,
    credential: "secret",
    credentialVariable: null,
    models: [{ id: "m", alias: null, priority: 0, weight: 1 }],
    orgId: null,
    timeoutsMs: { connect: 5_000, headers: 120_000, idle: 300_000 },
    responseBytesMax: 1_000_000,
  };
}
