import { ledgerPageMax } from "../../contract/limits.ts";
import type { LedgerEntry } from "../../contract/ledger.ts";
import type { Ledger } from "../../store/ledger/ledger.ts";
import { csvLine, streamCsv } from "../csv.ts";
import type { Exchange } from "../exchange.ts";
import { RequestRecord } from "../record.ts";
import { recorded } from "../recorded.ts";
import { refusalAnswer } from "../refusal.ts";
import type { EndpointServices } from "./endpoint.ts";
import { authenticateManager } from "./manager.ts";
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
 * `invalid_key`, `auth_unavailable`, `forbidden`, `not_found`.
 */
export async function ledgerCsv(
  exchange: Exchange,
  orgId: string,
  services: EndpointServices & {
    readonly ledger: Ledger;
    readonly findOrganization: FindOrganization;
  },
): Promise<void> {
  const record = new RequestRecord("keys");
  await recorded(record, exchange, services.records, async () => {
    const manager = authenticateManager(exchange.head, services.findKey);
    const found = manager.ok
      ? organizationFor(manager.value, orgId, services.findOrganization)
      : manager;
    if (found.ok) {
      record.orgId = orgId;
      await streamCsv(exchange, `ledger-${orgId}.csv`, columns, pages(services.ledger, orgId));
    } else {
      record.errorCode = found.refusal.code;
      exchange.respond(refusalAnswer(found.refusal));
    }
  });
}

function pages(ledger: Ledger, orgId: string): () => string | null {
  let cursor: string | null = null;
  let done = false;
  return () => {
    if (done) return null;
    const page = ledger.list({ orgId, limit: ledgerPageMax, cursor });
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
