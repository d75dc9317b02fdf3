import { PriceCatalog } from "../../src/billing/catalog.ts";
import { scanRates } from "../../src/billing/scan-price.ts";
import type { ApiKey } from "../../src/contract/identity.ts";
import { refuse } from "../../src/contract/errors.ts";
import { accept } from "../../src/contract/outcome.ts";
import type { ProviderAccount } from "../../src/contract/account.ts";
import { Accounts } from "../../src/pipeline/accounts.ts";
import type { Forward } from "../../src/pipeline/exchange.ts";
import { TrustedProxies } from "../../src/pipeline/limit/client-address.ts";
import { RateLimits } from "../../src/pipeline/limit/rate-limits.ts";
import type { GatewayServices } from "../../src/pipeline/passage.ts";
import type { PaidScanServices } from "../../src/pipeline/paid-scan.ts";
import { sinceArrivalMs, type Records } from "../../src/pipeline/record.ts";
import { requestEvent } from "../../src/pipeline/request-event.ts";
import type { ScanServices } from "../../src/pipeline/scan.ts";
import type { Scan } from "../../src/pipeline/screen.ts";
import { applyBatch, type JournalOperation } from "../../src/store/journal/batch.ts";
import type { JournalMark } from "../../src/store/journal/flush-waiters.ts";
import { Journal, type BatchWriter } from "../../src/store/journal/journal.ts";
import { SharedAccounts } from "../../src/store/ledger/shared-accounts.ts";
import { SharedRateWindows } from "../../src/store/rate-windows.ts";
import { SharedUsageWindows } from "../../src/store/usage-windows.ts";
import { inputMicroUsd, outputMicroUsd } from "./answers.ts";
import { MemoryStore } from "./memory-store.ts";
import type { VirtualTime } from "./virtual-time.ts";
import { WitnessedLedger, type Witness } from "./witnessed-ledger.ts";

/** Micro-dollars of a scanned token, and the fewest tokens that are billed. */
export const scanMicroUsd = 100;
export const scanTokensMin = 100;

/** What stands around the gateway: the world decides how it behaves. */
export interface Surroundings extends Omit<Witness, "holds"> {
  readonly writer: BatchWriter;
  readonly time: VirtualTime;
  readonly forward: Forward;
  readonly scan: Scan;
  readonly report: PaidScanServices["report"];
}

/** Knows what the store would hold if all that was appended were written at once. */
class WatchedJournal extends Journal {
  readonly appended: MemoryStore;
  #batches: number;

  constructor(durable: MemoryStore, writer: BatchWriter, fail: (violation: string) => void) {
    const { lastBatch } = durable.reads;
    super({ writer, lastBatch, onFlushFailed: () => undefined });
    this.appended = new MemoryStore(fail, durable);
    this.#batches = lastBatch;
  }

  override append(
    events: readonly string[],
    operations: readonly JournalOperation[] = [],
  ): JournalMark {
    this.#batches += 1;
    const batch = { number: this.#batches, events: [], operations };
    this.appended.transaction(() => applyBatch(this.appended.tables, batch));
    return super.append(events, operations);
  }
}

/** One life of a gateway process, from its start to a crash or a stop, over what was durable. */
export class SimulatedGateway {
  readonly ledger: WitnessedLedger;
  readonly services: GatewayServices;
  readonly scanServices: ScanServices;
  readonly #journal: WatchedJournal;

  constructor(surroundings: Surroundings) {
    const { durable, writer, oracle, time } = surroundings;
    this.#journal = new WatchedJournal(durable, writer, oracle.fail);
    const books = {
      journal: this.#journal,
      reads: durable.reads,
      accounts: new SharedAccounts(),
      clock: time,
      billingUrl: "https://billing.example",
      holdsMax: 20,
    };
    this.ledger = new WitnessedLedger(books, {
      ...surroundings,
      holds: (requestId) => this.appended.tables.holds.get(requestId) !== undefined,
    });
    const findOrganization = (): undefined => undefined;
    const rateLimits = new RateLimits({
      windows: new SharedRateWindows({ slots: 64, clock: time }),
      passthroughWindows: new SharedRateWindows({ slots: 64, clock: time }),
      findOrganization,
      scansPerMinute: 1_000_000,
      proxies: new TrustedProxies([]),
      rejected: () => undefined,
    });
    const records: Records = (record, exchange) => {
      const event = requestEvent(record, exchange, sinceArrivalMs(exchange));
      if (event !== null) this.ledger.recordRequest(event);
    };
    const payments = { ledger: this.ledger, findOrganization };
    const findKey = (secret: string) => accept<ApiKey>({ ...key, orgId: secret.slice(prefix) });
    this.services = {
      findKey,
      rateLimits,
      usageLimits: {
        windows: new SharedUsageWindows({ slots: 64, clock: time }),
        findOrganization,
        limitsFor: () => [],
        rejected: () => undefined,
      },
      scan: surroundings.scan,
      policy: { injection: { action: "block", sensitivity: "balanced" } },
      accounts: new Accounts([account("p-1"), account("p-2")]),
      checkUpstream: () => refuse("ssrf_blocked", "No request names an upstream."),
      forward: surroundings.forward,
      keylessPassthrough: false,
      findPrice: (provider, model, at) => prices.priceOf(provider, model, at),
      payments,
      wallMs: () => time.wallMs(),
      records,
    };
    this.scanServices = {
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
      report: surroundings.report,
      searchPatterns: () => Promise.resolve(refuse("invalid_request", "A pattern is wrong.")),
    };
  }

  /** The store as it would be if all that was appended were written. */
  get appended(): MemoryStore {
    return this.#journal.appended;
  }

  /** What SIGTERM does once requests had their time. */
  async stop(): Promise<void> {
    this.ledger.close();
    await this.#journal.close();
  }
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
    wires: ["chat", "messages"],
    credential: "secret",
    models: [{ id: "m", alias: null }],
    timeoutsMs: { connect: 5_000, headers: 120_000, idle: 300_000 },
    responseBytesMax: 1_000_000,
  };
}
