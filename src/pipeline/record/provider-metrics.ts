import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { ProviderCall } from "./provider-call.ts";

/** Whether an account is out of rotation. */
export interface AccountCircuit {
  readonly account: string;
  readonly isOpen: boolean;
}

/** Stands for all upstreams that callers name. No account can have this name. */
const ownKeys = "(own_keys)";

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** How the providers do, by account. Only operators name accounts, so there are few. */
export class ProviderMetrics {
  readonly #attempts: Counter<"account" | "outcome">;
  readonly #seconds: Histogram<"account">;

  /** `circuits` is read at each scrape. */
  constructor(registry: Registry, circuits: () => readonly AccountCircuit[]) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: "weir_upstream_attempts_total",
      help: "Calls to providers, by account and outcome.",
      labelNames: ["account", "outcome"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "weir_upstream_seconds",
      help: "Time from the beginning of a call to the head of the provider's response, by account.",
      labelNames: ["account"],
      buckets,
      registers,
    });
    new Gauge({
      name: "weir_account_circuit_open",
      help: "1 while an account is out of rotation after sustained failures, in one thread at least, else 0.",
      labelNames: ["account"],
      aggregator: "max",
      registers,
      collect() {
        this.reset();
        for (const { account, isOpen } of circuits()) this.set({ account }, Number(isOpen));
      },
    });
  }

  observe(calls: readonly ProviderCall[]): void {
    for (const { account: named, outcome, headMs } of calls) {
      const account = named ?? ownKeys;
      if (outcome !== null) this.#attempts.inc({ account, outcome });
      if (headMs !== null) this.#seconds.observe({ account }, headMs / 1000);
    }
  }
}
