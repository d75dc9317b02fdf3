import { Gauge, type Registry } from "prom-client";
import { ownKeysAccount } from "./model-metrics.ts";
import {
  callOutcomes,
  type AccountError,
  type AccountHealth,
  type CallOutcome,
} from "../../contract/account-health.ts";
import type { ProviderCall } from "./provider-call.ts";
import { HistogramTally, Tally } from "./tallies.ts";

/** Whether an account is out of rotation. */
export interface AccountCircuit {
  readonly account: string;
  readonly isOpen: boolean;
}

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** How the providers do, by account. Only operators name accounts, so there are few. */
export class ProviderMetrics {
  readonly #attempts: Tally;
  readonly #seconds: HistogramTally;
  readonly #lastErrors = new Map<string, AccountError>();

  /** `circuits` is read at each scrape. */
  constructor(registry: Registry, circuits: () => readonly AccountCircuit[]) {
    this.#attempts = new Tally({
      name: "weir_upstream_attempts_total",
      help: "Calls to providers, by account and outcome.",
      labelNames: ["account", "outcome"],
      registry,
    });
    this.#seconds = new HistogramTally({
      name: "weir_upstream_seconds",
      help: "Time from the beginning of a call to the head of the provider's response, by account.",
      labelNames: ["account"],
      buckets,
      registry,
    });
    new Gauge({
      name: "weir_account_circuit_open",
      help: "1 while an account is out of rotation after sustained failures, in one thread at least, else 0.",
      labelNames: ["account"],
      aggregator: "max",
      registers: [registry],
      collect() {
        this.reset();
        for (const { account, isOpen } of circuits()) this.set({ account }, Number(isOpen));
      },
    });
  }

  observe(calls: readonly ProviderCall[]): void {
    for (const { account: named, outcome, headMs, status, code } of calls) {
      const account = named ?? ownKeysAccount;
      if (outcome !== null) {
        this.#attempts.add(1, account, outcome);
        if (isError(outcome)) {
          this.#lastErrors.set(account, { outcome, status, code, atMs: Date.now() });
        }
      }
      if (headMs !== null) this.#seconds.tally(headMs / 1000, account);
    }
  }

  /** What this thread has counted of an account. */
  countsOf(account: string): Omit<AccountHealth, "circuit"> {
    const counts = callOutcomes.map((outcome) => [
      outcome,
      this.#attempts.countOf(account, outcome),
    ]);
    return {
      // Each outcome is among them.
      outcomes: Object.fromEntries(counts) as AccountHealth["outcomes"],
      lastError: this.#lastErrors.get(account) ?? null,
    };
  }
}

function isError(outcome: CallOutcome): boolean {
  return outcome !== "answered" && outcome !== "abandoned";
}
