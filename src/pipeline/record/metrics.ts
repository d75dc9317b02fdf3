import {
  AggregatorRegistry,
  Gauge,
  Registry,
  collectDefaultMetrics,
  type MetricObject,
} from "prom-client";
import type { AccountHealth } from "../../contract/account-health.ts";
import type { AccountCircuit } from "./provider-metrics.ts";
import type { ServedExchange } from "../../exchange/exchange.ts";
import type { LimitKind } from "./limit-kind.ts";
import type { MicroUsd } from "../../contract/money.ts";
import type { LedgerCounts } from "../../store/ledger/ledger.ts";
import type { PolicyRecord } from "./policy-record.ts";
import { ModelMetrics } from "./model-metrics.ts";
import { ProviderMetrics } from "./provider-metrics.ts";
import { HistogramTally, Tally } from "./tallies.ts";
import type { RequestRecord } from "./record.ts";

/** The values that the gauges read at each scrape. */
export interface MetricSources {
  readonly openExchanges: () => number;
  readonly scansQueued: () => number;
  readonly circuits: () => readonly AccountCircuit[];
  readonly batchItemsOpen: () => number;
  readonly bodyBudgetUsedBytes: () => number;
  readonly cachedAnswers: () => number;
  readonly cachedBytes: () => number;
  readonly books: () => LedgerCounts;
  /** Balances below this are counted. */
  readonly lowBalance: MicroUsd;
  readonly journalFailing: () => boolean;
  readonly journalPendingBytes: () => number;
  /** Readable contents that were not kept, since the start. */
  readonly contentsDropped: () => number;
  readonly contentPendingBytes: () => number;
}

const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

const directions = ["input", "output"] as const;

/**
 * Prometheus metrics of one thread, and of its process. Labels are bounded: routes, statuses, codes,
 * verdicts, accounts.
 */
export class Metrics {
  /** Node's metrics of the process. */
  readonly #process = new Registry();
  readonly #registry = new Registry();
  readonly #requests = new Tally({
    name: "weir_requests_total",
    help: "Requests by route, status and error code.",
    labelNames: ["route", "status", "code"],
    registry: this.#registry,
  });
  readonly #verdicts = new Tally({
    name: "weir_scan_verdicts_total",
    help: "Injection verdicts, by route.",
    labelNames: ["route", "verdict"],
    registry: this.#registry,
  });
  readonly #limitRejections = new Tally({
    name: "weir_limit_rejections_total",
    help: "Requests that a rate limit, a usage limit or a budget refused, by the limit.",
    labelNames: ["kind"],
    registry: this.#registry,
  });
  readonly #cacheLookups = new Tally({
    name: "weir_response_cache_lookups_total",
    help: "Requests that used the response cache, by route and result.",
    labelNames: ["route", "result"],
    registry: this.#registry,
  });
  readonly #scanQueue = new HistogramTally({
    name: "weir_scan_queue_seconds",
    help: "How long scans waited for a thread.",
    labelNames: [],
    buckets: durationBuckets,
    registry: this.#registry,
  });
  readonly #policyActions = new Tally({
    name: "weir_policy_actions_total",
    help: "Requests and answers for which a security policy called for an action, by the strongest action.",
    labelNames: ["direction", "action", "dry_run"],
    registry: this.#registry,
  });
  readonly #policyMatches = new Tally({
    name: "weir_policy_matches_total",
    help: "Matches of a security policy's rules in requests and answers, by rule.",
    labelNames: ["direction", "kind"],
    registry: this.#registry,
  });
  readonly #overloadRefusals = new Tally({
    name: "weir_overload_refusals_total",
    help: "Requests that were refused because of overload, by the resource that was exhausted.",
    labelNames: ["reason"],
    registry: this.#registry,
  });
  readonly #durations = new HistogramTally({
    name: "weir_request_duration_seconds",
    help: "Time from arrival to the end of the answer.",
    labelNames: ["route"],
    buckets: durationBuckets,
    registry: this.#registry,
  });
  readonly #providers: ProviderMetrics;
  readonly #models = new ModelMetrics(this.#registry);

  constructor(sources: MetricSources) {
    this.#providers = new ProviderMetrics(this.#registry, sources.circuits);
    collectDefaultMetrics({ register: this.#process });
    this.#gauge("weir_open_exchanges", "Requests in progress.", sources.openExchanges);
    this.#gauge("weir_scans_queued", "Scans that wait for a worker.", sources.scansQueued);
    this.#gauge(
      "weir_batch_items_open",
      "Items of batch jobs that have not ended.",
      sources.batchItemsOpen,
    );
    this.#gauge(
      "weir_body_budget_used_bytes",
      "Bytes reserved for request bodies and buffered answers in flight.",
      sources.bodyBudgetUsedBytes,
    );
    this.#gauge(
      "weir_content_dropped",
      "Readable contents that were not kept because too much waited or the disk was full.",
      sources.contentsDropped,
    );
    this.#gauge(
      "weir_content_pending_bytes",
      "Bytes of readable content that wait to be written.",
      sources.contentPendingBytes,
    );
    this.#gauge(
      "weir_response_cache_answers",
      "Answers in the response cache.",
      sources.cachedAnswers,
    );
    this.#gauge(
      "weir_response_cache_bytes",
      "Bytes of answers in the response cache.",
      sources.cachedBytes,
    );
    this.#booksGauges(sources);
  }

  observe(record: RequestRecord, exchange: ServedExchange, totalMs: number): void {
    const { route } = record;
    this.#requests.add(1, route, exchange.status, record.errorCode ?? "");
    this.#durations.tally(totalMs / 1000, route);
    this.#providers.observe(record.calls);
    this.#models.observe(record, exchange.status);
    if (record.cache !== null) this.#cacheLookups.add(1, route, record.cache);
    if (record.queueMs !== null) this.#scanQueue.tally(record.queueMs / 1000);
    if (record.policy !== null) this.#observePolicy(record.policy);
    if (record.injection !== null) this.#verdicts.add(1, route, record.injection.verdict);
  }

  /** Without the policy's id, because organizations can make many policies, and labels are kept for good. */
  #observePolicy(policy: PolicyRecord): void {
    for (const direction of directions) {
      const action = policy.actions[direction];
      if (action !== null) {
        this.#policyActions.add(1, direction, action, String(policy.dryRun));
      }
      const matches = policy[direction];
      if (matches === null) continue;
      for (const [kind, count] of Object.entries(matches)) {
        this.#policyMatches.add(count, direction, kind);
      }
    }
  }

  limitRejected(kind: LimitKind): void {
    this.#limitRejections.add(1, kind);
  }

  overloadRefused(reason: string, count: number): void {
    this.#overloadRefusals.add(count, reason);
  }

  /** What this thread has counted of a provider's account. */
  accountCounts(account: string): Omit<AccountHealth, "circuit"> {
    return this.#providers.countsOf(account);
  }

  /** The counts of this thread. */
  values(): Promise<readonly MetricObject[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** The text exposition format: the process, and the sums over this thread and the others. */
  async expose(others: readonly (readonly MetricObject[])[] = []): Promise<string> {
    const all = [await this.values(), ...others].map((values) => [...values]);
    const summed: Registry = AggregatorRegistry.aggregate(all);
    return (await this.#process.metrics()) + (await summed.metrics());
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** docs/operating.md has alert rules for these. */
  #booksGauges({ books, lowBalance, journalFailing, journalPendingBytes }: MetricSources): void {
    const gauges: readonly (readonly [string, string, () => number])[] = [
      ["holds", "Requests that hold money.", () => books().liveHolds],
      ["holds_expired", "Holds whose lease ran out, since the start.", () => books().expired],
      [
        "outcome_unknown",
        "Holds that a crash left without a settlement, found at the start.",
        () => books().outcomeUnknown,
      ],
      [
        "debits_skipped",
        "Debits that a balance could not cover, since the start.",
        () => books().owed,
      ],
      ["debits_recovered", "Such debits applied later, since the start.", () => books().recovered],
      [
        "entries_refused",
        "Entries that the store refused, since the start.",
        () => books().refused,
      ],
      [
        "low_balances",
        "Organizations whose balance is below billing.lowBalanceUsd.",
        () => books().lowBalances(lowBalance),
      ],
    ];
    for (const [name, help, read] of gauges) this.#gauge(`weir_payg_${name}`, help, read);
    this.#gauge(
      "weir_journal_failing",
      "1 while the store can't be written and new paid requests are refused, else 0.",
      () => Number(journalFailing()),
    );
    this.#gauge(
      "weir_journal_pending_bytes",
      "Bytes that wait to be written to the store.",
      journalPendingBytes,
    );
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }
}
