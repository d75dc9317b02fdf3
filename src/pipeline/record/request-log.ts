import type { Logger } from "pino";
import { numeric, quoted } from "../../contract/json-text.ts";
import { packedLines } from "../../contract/packed-log.ts";
import { ByteReader, ByteWriter } from "../../runtime/packed-bytes.ts";
import { costStatus, costUsd } from "./cost-record.ts";
import type { ServedExchange } from "../../exchange/exchange.ts";
import { logStream } from "./log-stream.ts";
import type { PolicyRecord } from "./policy-record.ts";
import type { RequestRecord } from "./record.ts";

/** Logs one structured line per request, at `info`: no bodies, no secrets, no matched text. */
export type LogRequest = (record: RequestRecord, exchange: ServedExchange, totalMs: number) => void;

/**
 * Every request writes such a line, and making its text costs as much as a tenth of the request. So the
 * loop packs what the line tells, and the log's thread makes the line (`lineOfPacked`).
 */
export function requestLog(logger: Logger): LogRequest {
  const stream = logStream(logger);
  const packed = new ByteWriter();
  return (record, exchange, totalMs) => {
    if (!logger.isLevelEnabled("info")) return;
    packed.clear();
    packed.byte(packedLines.request);
    pack(packed, record, exchange, totalMs);
    if (stream.writePacked !== undefined) stream.writePacked(packed.written);
    else stream.write(lineOfPacked(packed.written));
  };
}

/** The members of a line in their order, as `pack` writes their values. */
const members = [
  ["time", "number"],
  ["request_id", "text"],
  ["route", "text"],
  ["method", "text"],
  ["status", "number"],
  ["error_code", "text"],
  ["org_id", "text"],
  ["api_key_id", "text"],
  ["own_keys", "boolean"],
  ["model", "text"],
  ["provider", "text"],
  ["account", "text"],
  ["attempts", "number"],
  ["upstream_status", "number"],
  ["upstream_error", "text"],
  ["cost_status", "text"],
  ["cost_usd", "text"],
  ["assumed_price", "text"],
  ["stream", "boolean"],
  ["cache", "text"],
  ["end", "text"],
  ["client_gone", "boolean"],
  ["verdict", "text"],
  ["score", "number"],
  ["policy", "policy"],
  ["bytes_in", "number"],
  ["bytes_out", "number"],
  ["body_ms", "number"],
  ["queue_ms", "number"],
  ["scan_ms", "number"],
  ["upstream_ms", "number"],
  ["total_ms", "number"],
] as const;

function pack(
  to: ByteWriter,
  record: RequestRecord,
  exchange: ServedExchange,
  totalMs: number,
): void {
  to.number(Date.now());
  to.text(exchange.requestId);
  to.text(record.route);
  to.text(exchange.head.method);
  to.number(exchange.status);
  to.text(record.errorCode);
  to.text(record.orgId);
  to.text(record.apiKeyId);
  to.byte(Number(record.ownKeys));
  to.text(record.model);
  to.text(record.provider);
  to.text(record.account);
  to.number(record.attempts);
  to.number(record.upstreamStatus);
  to.text(record.upstreamError);
  to.text(costStatus(record));
  to.text(costUsd(record));
  to.text(record.cost?.assumedPrice ?? null);
  to.byte(Number(record.stream));
  to.text(record.cache);
  to.text(record.end);
  to.byte(Number(record.clientGone));
  to.text(record.injection?.verdict ?? null);
  to.number(record.injection?.score ?? null);
  packPolicy(to, record.policy);
  to.number(record.bytesIn);
  to.number(exchange.bytesSent);
  to.number(record.bodyMs);
  to.number(record.queueMs);
  to.number(record.scanMs);
  to.number(record.upstreamMs);
  to.number(totalMs);
}

function packPolicy(to: ByteWriter, policy: PolicyRecord | null): void {
  to.text(policy?.id ?? null);
  if (policy === null) return;
  to.number(policy.version);
  to.byte(Number(policy.dryRun));
  to.text(policy.action);
  to.text(policy.actions.input);
  to.text(policy.actions.output);
  // Most requests match no rule.
  to.text(policy.input === null ? null : JSON.stringify(policy.input));
  to.text(policy.output === null ? null : JSON.stringify(policy.output));
  to.number(policy.replaced ?? null);
}

function policyJson(from: ByteReader): string {
  const id = from.text();
  if (id === null) return "null";
  const policy =
    `{"id":${quoted(id)},"version":${numeric(from.number())},"dryRun":${from.byte() === 1},` +
    `"action":${quoted(from.text())},` +
    `"actions":{"input":${quoted(from.text())},"output":${quoted(from.text())}},` +
    `"input":${from.text() ?? "null"},"output":${from.text() ?? "null"}`;
  const replaced = from.number();
  return replaced === null ? `${policy}}` : `${policy},"replaced":${replaced}}`;
}

/** The text of a packed line, with its line feed. */
export function lineOfPacked(packed: Buffer): string {
  const from = new ByteReader(packed);
  if (from.byte() === packedLines.text) return packed.toString("utf8", 1);
  let line = `{"level":${infoLevel}`;
  for (const [name, kind] of members) line += `,"${name}":${valueOf(from, kind)}`;
  return `${line},"msg":"request"}\n`;
}

function valueOf(from: ByteReader, kind: (typeof members)[number][1]): string {
  switch (kind) {
    case "number":
      return numeric(from.number());
    case "text":
      return quoted(from.text());
    case "boolean":
      return from.byte() === 1 ? "true" : "false";
    case "policy":
      return policyJson(from);
  }
}

/** pino's number for the level. */
const infoLevel = 30;
