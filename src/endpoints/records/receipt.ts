import { receiptOf, scanReceiptOf, type Receipt } from "../../billing/receipt.ts";
import type { ProviderAccount } from "../../contract/account.ts";
import { refuse } from "../../contract/errors.ts";
import { formatUsd } from "../../contract/money.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { ScanRates } from "../../contract/pricing.ts";
import type { RecordedRequest, RecordReceipt } from "../../contract/records-api.ts";
import { usageBucketNames, type UsageBuckets } from "../../contract/usage.ts";
import type { Answer } from "../../exchange/exchange.ts";
import type { FindPrice } from "../../pipeline/money/quote.ts";
import { fresh, type RecordsCall } from "./endpoint.ts";
import { lookUp } from "./records.ts";

/** Where the prices of a receipt come from. */
export interface PriceSources {
  readonly accounts: { readonly serving: readonly ProviderAccount[] };
  readonly findPrice: FindPrice;
  readonly scanRates: ScanRates;
}

interface Lookup {
  readonly record: RecordedRequest | null;
  readonly events: readonly { readonly event_type: string; readonly data: RequestData }[];
}

/** The members of a request's event that a receipt needs. Events of older releases lack some. */
interface RequestData {
  readonly usage?: UsageBuckets | null;
  readonly service_tier?: string;
  readonly findings?: unknown;
}

/**
 * `GET /records/receipt?request_id=`: how the prices of the request's time lead from its usage to its cost. Errors:
 * those of `lookUpRecord`; `not_found` also for what has no record.
 */
export async function receiptOfRecord(
  call: RecordsCall,
  prices: PriceSources,
): Promise<Outcome<Answer>> {
  const found = await lookUp(call);
  if (!found.ok) return found;
  // Our own JSON.
  const { record, events } = JSON.parse(found.value) as Lookup;
  if (record === null) return refuse("not_found", "The request has no record.");
  const data = events.find(({ event_type: type }) => /^(request|scan)\./.test(type))?.data ?? {};
  const receipt =
    record.type === "scan"
      ? scanReceipt(record, data, prices.scanRates)
      : requestReceipt(record, data, prices);
  const { cost_usd, cost_status, request_id } = record;
  const total = receipt === null ? null : formatUsd(receipt.total);
  const shown: RecordReceipt = {
    request_id,
    service_tier: data.service_tier ?? null,
    lines: (receipt?.lines ?? []).map(({ unit, units, usdPerMillion, amountUsd }) => {
      return { unit, units, usd_per_million: usdPerMillion, amount_usd: amountUsd };
    }),
    total_usd: total,
    cost_usd,
    cost_status,
    matches: total === null ? null : total === cost_usd,
  };
  return fresh(JSON.stringify({ data: shown }));
}

function scanReceipt(record: RecordedRequest, data: RequestData, rates: ScanRates): Receipt | null {
  if (record.billable_tokens === null) return null;
  const families = { injection: record.verdict !== null, entities: data.findings !== undefined };
  return scanReceiptOf(record.billable_tokens, families, rates);
}

function requestReceipt(
  record: RecordedRequest,
  data: RequestData,
  { accounts, findPrice }: PriceSources,
): Receipt | null {
  const { usage = null, service_tier: tier = null } = data;
  const isWhole = usage !== null && usageBucketNames.every((name) => Number.isInteger(usage[name]));
  const at = Date.parse(record.created_at);
  const account = accounts.serving.find(({ name }) => name === record.account);
  const provider = account?.provider ?? record.provider;
  if (!isWhole || provider === null || record.model === null) return null;
  const name = record.model.replace(/^[^/]*\//, (prefix) =>
    prefix === `${provider}/` || prefix === `${account?.name}/` ? "" : prefix,
  );
  const model = account?.models.find(({ id, alias }) => id === name || alias === name)?.id ?? name;
  const price = findPrice(provider, model, at);
  return price.ok ? receiptOf(usage, price.value, tier, at) : null;
}
