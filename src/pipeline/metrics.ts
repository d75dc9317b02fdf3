import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { Exchange } from "./exchange.ts";
import type { LimitKind } from "./limit/rejection.ts";
import { sinceArrivalMs, type RequestRecord } from "./record.ts";

/** What the gauges read when they are scraped. */
export interface MetricSources {
  readonly openExchanges: () => number;
  readonly scansQueued: () => number;
  readonly bodyBudgetUsedBytes: () => number;
}

const durationBuckets = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** Prometheus metrics of the process. Labels are bounded: routes, statuses, codes, verdicts. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: "weir_requests_total",
    help: "Requests by route, status and error code.",
    labelNames: ["route", "status", "code"],
    registers: [this.#registry],
  });
  readonly #verdicts = new Counter({
    name: "weir_scan_verdicts_total",
    help: "Injection verdicts by route.",
    labelNames: ["route", "verdict"],
    registers: [this.#registry],
  });
  readonly #limitRejections = new Counter({
    name: "weir_limit_rejections_total",
    help: "Requests that a rate limit, a usage limit or a budget refused, by which.",
    labelNames: ["kind"],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: "weir_request_duration_seconds",
    help: "From arrival to the end of the answer.",
    labelNames: ["route"],
    buckets: durationBuckets,
    registers: [this.#registry],
  });

  constructor(sources: MetricSources) {
    collectDefaultMetrics({ register: this.#registry });
    this.#gauge("weir_open_exchanges", "Requests in progress.", sources.openExchanges);
    this.#gauge("weir_scans_queued", "Scans that wait for a worker.", sources.scansQueued);
    this.#gauge(
      "weir_body_budget_used_bytes",
      "Bytes reserved for request bodies in flight.",
      sources.bodyBudgetUsedBytes,
    );
  }

  observe(record: RequestRecord, exchange: Exchange): void {
    const { route } = record;
    this.#requests.inc({ route, status: exchange.status, code: record.errorCode ?? "" });
    this.#durations.observe({ route }, sinceArrivalMs(exchange) / 1000);
    if (record.injection !== null) this.#verdicts.inc({ route, verdict: record.injection.verdict });
  }

  limitRejected(kind: LimitKind): void {
    this.#limitRejections.inc({ kind });
  }

  /** The text exposition format. */
  expose(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
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
