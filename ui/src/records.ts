import type { RecordedRequest } from "../../src/contract/records-api.ts";

export type { RecordedRequest };

/** A row of `/usage/series`. */
export interface SeriesRow {
  readonly start: string;
  readonly group: string | null;
  readonly value?: number | string;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
}

/** A row of `/usage/breakdown`. */
export interface BreakdownRow {
  readonly key: string | null;
  readonly rest?: boolean;
  readonly requests: number;
  readonly errors: number;
  readonly blocked: number;
  readonly tokens: number;
  readonly cost_usd: string;
  readonly latency_ms: {
    readonly p50: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
  };
}

/** All tokens of a record; null: not reported. */
export function tokensOf({ tokens, billable_tokens: billable }: RecordedRequest): number | null {
  if (tokens === null) return billable;
  const known = Object.values(tokens).filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
}

/** Adds decimal strings exactly. */
export function sumUsd(amounts: readonly string[]): string {
  const total = amounts.reduce((sum, text) => sum + microUsd(text), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(7, "0");
  return `${total < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

function microUsd(text: string): bigint {
  const [, sign, whole = "0", places = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const amount = BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, "0"));
  return sign === "-" ? -amount : amount;
}
