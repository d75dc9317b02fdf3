import { costText, type CostStatus } from "../../contract/usage.ts";
import type { RequestRecord } from "./record.ts";

/** spec: Cost status values. A request that was refused, failed or is no model call is `non_billable`. */
export function costStatus(record: RequestRecord): CostStatus {
  if (record.cost !== null) return record.cost.status;
  const served = record.end !== null && record.errorCode === null;
  return record.ownKeys && served ? "byok" : "non_billable";
}

export function costUsd(record: RequestRecord): string | null {
  return costText(record.cost?.costMicroUsd ?? null, costStatus(record));
}
