import type { Registry } from "prom-client";
import { inputTokens, outputTokens, type UsageBuckets } from "../../contract/usage.ts";
import type { RequestRecord } from "./record.ts";
import { HistogramTally, Tally } from "./tallies.ts";

/** Stands for every model that is not configured: those of own keys, and those of requests without a route. */
const otherModel = "other";
/** Stands for the upstreams that callers name with their own keys. No account can have this name. */
export const ownKeysAccount = "(own_keys)";
/** Stands for the account of a request that reached none. */
const noAccount = "(none)";

const firstByteBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const labelNames = ["account", "model"] as const;

/**
 * What models are asked for and what they cost, by account and model. Operators name both, so there are few; a
 * name that a caller made up is never a label. The cost is for graphs: a float, and not the books.
 */
export class ModelMetrics {
  readonly #requests: Tally;
  readonly #tokens: Tally;
  readonly #cost: Tally;
  readonly #firstByte: HistogramTally;

  constructor(registry: Registry) {
    this.#requests = new Tally({
      name: "weir_model_requests_total",
      help: "Requests to models, by the account and the configured model that served them, and by status.",
      labelNames: [...labelNames, "status"],
      registry,
    });
    this.#tokens = new Tally({
      name: "weir_model_tokens_total",
      help: "Tokens that providers have counted, by kind; no token is of two kinds.",
      labelNames: [...labelNames, "kind"],
      registry,
    });
    this.#cost = new Tally({
      name: "weir_model_cost_usd_total",
      help: "Cost of answers in US dollars. A float for graphs; the ledger is exact.",
      labelNames,
      registry,
    });
    this.#firstByte = new HistogramTally({
      name: "weir_model_first_byte_seconds",
      help: "Time from a request's arrival to the first byte of its answer.",
      labelNames,
      buckets: firstByteBuckets,
      registry,
    });
  }

  /** `status` is what the client got; 0 if it got nothing. */
  observe(record: RequestRecord, status: number): void {
    if (!record.isModelCall) return;
    const account = record.account ?? (record.ownKeys ? ownKeysAccount : noAccount);
    const model = record.servedModel ?? otherModel;
    this.#requests.add(1, account, model, status);
    const { firstByteMs, cost } = record;
    if (firstByteMs !== null) this.#firstByte.tally(firstByteMs / 1000, account, model);
    if (cost === null) return;
    if (cost.costMicroUsd !== null) {
      this.#cost.add(Number(cost.costMicroUsd) / 1_000_000, account, model);
    }
    if (cost.buckets !== null) this.#countTokens(cost.buckets, account, model);
  }

  /** The kinds are those of a record (`tokens` in GET /records). */
  #countTokens(buckets: UsageBuckets, account: string, model: string): void {
    const { cacheRead, cacheWrite5m, cacheWrite1h, reasoning } = buckets;
    const cacheWrite = cacheWrite5m + cacheWrite1h;
    const input = inputTokens(buckets) - cacheRead - cacheWrite;
    const output = outputTokens(buckets) - reasoning;
    if (input > 0) this.#tokens.add(input, account, model, "input");
    if (cacheRead > 0) this.#tokens.add(cacheRead, account, model, "cache_read");
    if (cacheWrite > 0) this.#tokens.add(cacheWrite, account, model, "cache_write");
    if (output > 0) this.#tokens.add(output, account, model, "output");
    if (reasoning > 0) this.#tokens.add(reasoning, account, model, "reasoning");
  }
}
