import type { ProviderHealth } from "../../contract/keys-api/provider-health.ts";
import { circuitWindowMs } from "../../contract/limits.ts";
import {
  callOutcomes,
  type AccountHealth,
  type CircuitName,
} from "../../contract/account-health.ts";

/** How an account does, in each thread that knows it. */
export type FindHealth = (name: string) => Promise<readonly AccountHealth[]>;

/** Better circuits first. */
const circuitNames: readonly CircuitName[] = ["closed", "half_open", "open"];

/** What the threads see of an account, as one. */
export function healthOf(name: string, threads: readonly AccountHealth[]): ProviderHealth {
  const circuits = threads.map(({ circuit }) => circuit);
  const notClosed = circuits.filter((circuit) => circuit.name !== "closed");
  const waits = notClosed.map(({ retryAfterSeconds }) => retryAfterSeconds ?? 1);
  const errors = threads.flatMap(({ lastError }) => lastError ?? []);
  const [last] = errors.toSorted((a, b) => b.atMs - a.atMs);
  const calls = callOutcomes.map((outcome) => [
    outcome,
    sum(threads.map(({ outcomes }) => outcomes[outcome])),
  ]);
  return {
    name,
    circuit: circuitNames.findLast((one) => circuits.some((has) => has.name === one)) ?? "closed",
    threads: threads.length,
    threadsOpen: notClosed.length,
    retryAfterSeconds: waits.length === 0 ? null : Math.min(...waits),
    recent: {
      seconds: circuitWindowMs / 1000,
      calls: sum(circuits.map((circuit) => circuit.calls)),
      failures: sum(circuits.map((circuit) => circuit.failures)),
    },
    // Each outcome is among them.
    calls: Object.fromEntries(calls) as ProviderHealth["calls"],
    lastError: last === undefined ? null : shownError(last),
  };
}

function shownError({
  outcome,
  status,
  code,
  atMs,
}: NonNullable<AccountHealth["lastError"]>): ProviderHealth["lastError"] {
  // These two are no errors.
  if (outcome === "answered" || outcome === "abandoned") return null;
  return { outcome, status, code, at: new Date(atMs).toISOString() };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
