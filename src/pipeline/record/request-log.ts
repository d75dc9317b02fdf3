import fastJson from "fast-json-stringify";
import type { Logger } from "pino";
import { costStatus, costUsd } from "./cost-record.ts";
import type { ServedExchange } from "../../exchange/exchange.ts";
import { linesOf } from "./log-lines.ts";
import type { RequestRecord } from "./record.ts";

/** Writes one structured line per request, at `info`: no bodies, no secrets, no matched text. */
export type LogRequest = (record: RequestRecord, exchange: ServedExchange, totalMs: number) => void;

/**
 * Every request writes such a line. So special code writes it, in half of pino's time, into the logger's own
 * stream.
 */
export function requestLog(logger: Logger): LogRequest {
  const write = linesOf(logger);
  return (record, exchange, totalMs) => {
    if (logger.isLevelEnabled("info")) write(`${serialize(lineOf(record, exchange, totalMs))}\n`);
  };
}

function lineOf(record: RequestRecord, exchange: ServedExchange, totalMs: number) {
  return {
    level: infoLevel,
    time: Date.now(),
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
    upstream_error: record.upstreamError,
    cost_status: costStatus(record),
    cost_usd: costUsd(record),
    assumed_price: record.cost?.assumedPrice ?? null,
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
    msg: "request",
  };
}

/** pino's number for the level. */
const infoLevel = 30;

const text = { type: "string", nullable: true } as const;
const number = { type: "number", nullable: true } as const;
const boolean = { type: "boolean" } as const;

const serialize = fastJson({
  type: "object",
  properties: {
    level: number,
    time: number,
    request_id: text,
    route: text,
    method: text,
    status: number,
    error_code: text,
    org_id: text,
    api_key_id: text,
    own_keys: boolean,
    model: text,
    provider: text,
    account: text,
    attempts: number,
    upstream_status: number,
    upstream_error: text,
    cost_status: text,
    cost_usd: text,
    assumed_price: text,
    stream: boolean,
    cache: text,
    end: text,
    client_gone: boolean,
    verdict: text,
    score: number,
    // Any shape.
    policy: {},
    bytes_in: number,
    bytes_out: number,
    body_ms: number,
    queue_ms: number,
    scan_ms: number,
    upstream_ms: number,
    total_ms: number,
    msg: text,
  } satisfies Record<keyof ReturnType<typeof lineOf>, object>,
});
