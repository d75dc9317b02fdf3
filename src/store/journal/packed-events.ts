import type { MicroUsd } from "../../contract/money.ts";
import { microUsd } from "../../contract/money.ts";
import {
  canonicalRequest,
  type MatchCounts,
  type RequestEvent,
  type Tags,
} from "../../contract/request-event.ts";
import type { UsageBuckets } from "../../contract/usage.ts";
import { ByteReader } from "../../runtime/packed-bytes.ts";

/**
 * Events on their way to the thread that writes them. Packing only copies numbers and texts; the unpacking
 * side makes canonical JSON and hashes. A thread that packs its own events hands the bytes to the journal,
 * which passes them on unchanged (`Journal.appendPacked`). The journal's file holds them for a short time,
 * and after a crash the next release may read them. So raise `batchForm` with every change of their form.
 */
export interface PackedEvents {
  readonly count: number;
  /** One event after the other: its kind, then its members in the form of `EventPacker`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The meaning of an event's first byte. `olderRequest` and `untieredRequest`: earlier forms, which may be left in
 * a journal.
 */
export const packedKinds = { line: 0, olderRequest: 1, untieredRequest: 2, request: 3 } as const;

/** Bits of the byte with a request's booleans. */
export const packedFlags = { stream: 1, clientGone: 2, isScan: 4, dryRun: 8 } as const;

/** The canonical lines of packed events, in their order. */
export function unpackLines(packed: readonly PackedEvents[]): string[] {
  const lines: string[] = [];
  const time = new WrittenTime();
  for (const { count, bytes } of packed) {
    const from = new ByteReader(bytes);
    for (let i = 0; i < count; i += 1) lines.push(readLine(from, time));
  }
  return lines;
}

function readLine(from: ByteReader, time: WrittenTime): string {
  const kind = from.byte();
  if (kind === packedKinds.line) return known(from.text());
  if (kind < packedKinds.olderRequest || kind > packedKinds.request) {
    throw new Error("packed events are out of step");
  }
  const createdAtMs = known(from.number());
  return canonicalRequest(readRequest(from, kind), time.of(createdAtMs));
}

/** Member by member in the order of `EventPacker.request`. */
function readRequest(from: ByteReader, kind: number): RequestEvent {
  const eventType = known(from.text()) as RequestEvent["eventType"];
  const orgId = known(from.text());
  const requestId = known(from.text());
  const httpStatus = known(from.number());
  const flags = from.byte();
  const route = known(from.text());
  const apiKeyId = from.text();
  const provider = from.text();
  const model = from.text();
  const errorCode = from.text();
  const end = from.text();
  const inputSha256 = from.text();
  const verdict = from.text();
  const score = from.number();
  const place = from.text();
  const policy = readPolicy(from, (flags & packedFlags.dryRun) !== 0);
  const costStatus = known(from.text()) as RequestEvent["costStatus"];
  const costMicroUsd = readMoney(from);
  const buckets = readUsage(from);
  const assumedPrice = from.text();
  const inputTokens = from.number();
  const scanId = from.text();
  const bodyMs = from.number();
  const queueMs = from.number();
  const scanMs = from.number();
  const holdMs = from.number();
  const firstByteMs = from.number();
  const totalMs = from.number() ?? Number.NaN;
  const { tags, ...questions } =
    kind === packedKinds.olderRequest ? noQuestions : readQuestions(from);
  const isNow = kind === packedKinds.request;
  const serviceTier = isNow ? from.text() : null;
  const servedModel = isNow ? from.text() : null;
  const facts = {
    route,
    isScan: (flags & packedFlags.isScan) !== 0,
    apiKeyId,
    provider,
    model,
    servedModel,
    errorCode,
    stream: (flags & packedFlags.stream) !== 0,
    end,
    clientGone: (flags & packedFlags.clientGone) !== 0,
    injection: verdict === null ? null : { verdict, score, place },
    policy,
    cost: { costMicroUsd, buckets, assumedPrice, serviceTier },
    inputTokens,
    scanId,
    bodyMs,
    queueMs,
    scanMs,
    holdMs,
    firstByteMs,
    ...questions,
  };
  return { eventType, orgId, requestId, httpStatus, facts, costStatus, inputSha256, tags, totalMs };
}

type Questions = Pick<RequestEvent, "tags"> &
  Pick<
    RequestEvent["facts"],
    "account" | "calls" | "upstreamStatus" | "cache" | "team" | "findingCounts"
  >;

const noQuestions: Questions = {
  account: null,
  calls: [],
  upstreamStatus: null,
  cache: null,
  team: null,
  tags: null,
  findingCounts: null,
};

/** An object literal is evaluated from its first member to its last. */
function readQuestions(from: ByteReader): Questions {
  return {
    account: from.text(),
    calls: readAttempts(from),
    upstreamStatus: from.number(),
    cache: from.text(),
    team: from.text(),
    tags: readTags(from),
    findingCounts: readCounts(from),
  };
}

function readAttempts(from: ByteReader): RequestEvent["facts"]["calls"] {
  return Array.from({ length: from.byte() }, () => ({
    account: from.text(),
    status: from.number(),
    ms: from.number(),
  }));
}

function readTags(from: ByteReader): Tags | null {
  const json = from.text();
  // The packer's own words.
  return json === null ? null : (JSON.parse(json) as Tags);
}

function readPolicy(from: ByteReader, dryRun: boolean): RequestEvent["facts"]["policy"] {
  const id = from.text();
  if (id === null) return null;
  const version = known(from.number());
  const replaced = from.number();
  const action = from.text();
  const [input, output] = [readCounts(from), readCounts(from)];
  const policy = { id, version, action, dryRun, input, output };
  return replaced === null ? policy : { ...policy, replaced };
}

function readCounts(from: ByteReader): MatchCounts | null {
  const json = from.text();
  // The packer's own words.
  return json === null ? null : (JSON.parse(json) as MatchCounts);
}

function readMoney(from: ByteReader): MicroUsd | null {
  const amount = from.number();
  return amount === null ? null : microUsd(BigInt(amount));
}

function readUsage(from: ByteReader): UsageBuckets | null {
  const uncachedInput = from.number();
  if (uncachedInput === null) return null;
  // An object literal is evaluated from its first member to its last.
  return {
    uncachedInput,
    cacheRead: known(from.number()),
    cacheWrite5m: known(from.number()),
    cacheWrite1h: known(from.number()),
    audioInput: known(from.number()),
    imageInput: known(from.number()),
    outputText: known(from.number()),
    reasoning: known(from.number()),
    audioOutput: known(from.number()),
    imageOutput: known(from.number()),
    toolCalls: known(from.number()),
  };
}

/** A value that the packer never writes as null. */
function known<T>(value: T | null): T {
  if (value === null) throw new Error("packed events are out of step");
  return value;
}

/** Formatting a time costs a microsecond, and most events have the same time as the event before. */
class WrittenTime {
  #wallMs = Number.NaN;
  #written = "";

  of(wallMs: number): string {
    if (wallMs !== this.#wallMs) {
      this.#wallMs = wallMs;
      this.#written = new Date(wallMs).toISOString();
    }
    return this.#written;
  }
}
