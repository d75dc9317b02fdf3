import type { AuditEventRow } from "../../src/contract/audit-api.ts";
import type { RecordedRequest } from "../../src/contract/records-api.ts";

export type { RecordedRequest };

/** How a record can end, in the order in which charts stack them. */
export const recordEnds = ["completed", "blocked", "failed"] as const;

/** Answer of `/records/facets`, by the name of the filter. */
export type Facets = Readonly<
  Record<string, readonly { readonly value: string; readonly count: number }[]>
>;

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

type Tokens = RecordedRequest["tokens"];
type Bucket = keyof NonNullable<Tokens>;

/** All tokens of a record; null: not reported. */
export function tokensOf({ tokens, billable_tokens: billable }: RecordedRequest): number | null {
  return tokens === null
    ? billable
    : sumOf(tokens, ["input", "cache_read", "cache_write", "output", "reasoning"]);
}

export function inputTokensOf({
  tokens,
  billable_tokens: billable,
}: RecordedRequest): number | null {
  return tokens === null ? billable : sumOf(tokens, ["input", "cache_read", "cache_write"]);
}

export function outputTokensOf({ tokens }: RecordedRequest): number | null {
  return sumOf(tokens, ["output", "reasoning"]);
}

function sumOf(tokens: Tokens, buckets: readonly Bucket[]): number | null {
  const known = buckets.map((bucket) => tokens?.[bucket] ?? null).filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
}

/** Adds decimal strings exactly. */
export function sumUsd(amounts: readonly string[]): string {
  const total = amounts.reduce((sum, text) => sum + microUsd(text), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(7, "0");
  return `${total < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** A decimal string in micro-dollars. */
export function microUsd(text: string): bigint {
  const [, sign, whole = "0", places = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const amount = BigInt(whole) * 1_000_000n + BigInt(places.padEnd(6, "0"));
  return sign === "-" ? -amount : amount;
}

/** The data of the event that tells a request's end; empty if it is not known. */
export function endOf(events: readonly AuditEventRow[]): Readonly<Record<string, unknown>> {
  return events.find(({ event_type: type }) => /^(request|scan)\./.test(type))?.data ?? {};
}
