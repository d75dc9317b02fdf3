import type { Logger } from "pino";
import { costStatus, costUsd } from "./cost-record.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestRecord } from "./record.ts";

/** One structured line a request, at `info`: no bodies, no secrets, no matched text. */
export function logRequest(
  logger: Logger,
  record: RequestRecord,
  exchange: Exchange,
  totalMs: number,
): void {
  logger.info(
    {
      request_id: exchange.requestId,
      route: record.route,
      method: exchange.head.method,
      status: exchange.status,
      error_code: record.errorCode,
      org_id: record.orgId,
      api_key_id: record.apiKeyId,
      own_keys: record.ownKeys,
      model: record.model,
      provider: record.provider,
      account: record.account,
      attempts: record.attempts,
      upstream_status: record.upstreamStatus,
      cost_status: costStatus(record),
      cost_usd: costUsd(record),
      stream: record.stream,
      cache: record.cache,
      end: record.end,
      client_gone: record.clientGone,
      verdict: record.injection?.verdict ?? null,
      score: record.injection?.score ?? null,
      policy: record.policy,
      bytes_in: record.bytesIn,
      bytes_out: exchange.bytesSent,
      body_ms: record.bodyMs,
      queue_ms: record.queueMs,
      scan_ms: record.scanMs,
      upstream_ms: record.upstreamMs,
      total_ms: totalMs,
    },
    "request",
  );
}
