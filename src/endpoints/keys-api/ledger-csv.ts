import { setImmediate } from "node:timers/promises";
import { downloadRowsPerStep } from "../../contract/limits.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import { accept, type Outcome } from "../../contract/outcome.ts";
import type { Ledger } from "../../store/ledger/ledger.ts";
import { csvLine } from "../../contract/csv.ts";
import { downloadHeaders, streamAsked } from "../csv.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Call, Done } from "./endpoint.ts";
import { organizationFor, type FindOrganization } from "./scope.ts";

const columns = [
  "id",
  "created_at",
  "type",
  "amount_usd",
  "balance_after_usd",
  "idempotency_key",
  "request_id",
  "catalog_version",
  "usage",
] as const;

/**
 * `GET /api/v1/gateway/orgs/:id/ledger.csv`: the whole ledger, newest entries first. Errors:
 * `not_found`.
 */
export async function ledgerCsv(
  { manager, id, record }: Call,
  exchange: Exchange,
  ledger: Ledger,
  find: FindOrganization,
): Promise<Outcome<Done>> {
  const found = organizationFor(manager, id, find);
  if (!found.ok) return found;
  // An operator's key belongs to no organization, so the record takes it from the path.
  record.orgId = id;
  await ledger.caughtUp(id);
  const headers = downloadHeaders("text/csv; charset=utf-8", `ledger-${id}.csv`);
  await streamAsked(exchange, headers, pages(ledger, id));
  return accept({ answer: null });
}

function pages(ledger: Ledger, orgId: string): () => Promise<string | null> {
  let cursor: string | null = null;
  let done = false;
  let isFirst = true;
  return async () => {
    if (done) return null;
    if (isFirst) {
      isFirst = false;
      return csvLine(columns);
    }
    // Others get their turn, also where nothing is waited for.
    await setImmediate();
    const page = await ledger.list({ orgId, limit: downloadRowsPerStep, cursor });
    if (!page.ok) return null;
    cursor = page.value.nextCursor;
    done = cursor === null;
    return page.value.entries.map(line).join("");
  };
}

function line(entry: LedgerEntry): string {
  return csvLine([
    entry.id,
    entry.createdAt,
    entry.type,
    entry.amountUsd,
    entry.balanceAfterUsd,
    entry.idempotencyKey,
    entry.requestId,
    entry.catalogVersion,
    entry.usage === null ? null : JSON.stringify(entry.usage),
  ]);
}
