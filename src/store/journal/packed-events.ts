import type { MicroUsd } from "../../contract/money.ts";
import { microUsd } from "../../contract/money.ts";
import {
  canonicalRequest,
  type MatchCounts,
  type RequestEvent,
} from "../../contract/request-event.ts";
import type { UsageBuckets } from "../../contract/usage.ts";

/**
 * Events on their way to the thread that writes them. Packing only copies numbers and remembers texts;
 * the unpacking side makes canonical JSON and hashes. This form is never stored, so both sides may
 * change together. Structured cloning carries it between threads, and `slots.buffer` may be
 * transferred: a thread that packs its own events hands everything to the journal's thread, which
 * passes it on unchanged (`Journal.appendPacked`).
 */
export interface PackedEvents {
  readonly count: number;
  /** Event after event: its kind, then its members as `EventPacker` wrote them. NaN is null. */
  readonly slots: Float64Array;
  /** The texts that text slots point to; no slot points to the first one, because 0 is null. */
  readonly texts: readonly string[];
}

/** What an event's first slot says. */
export const packedKinds = { line: 0, request: 1 } as const;

/** Bits of a request's slot of booleans. */
export const packedFlags = { stream: 1, clientGone: 2, isScan: 4, dryRun: 8 } as const;

/** The canonical lines of packed events, in their order. */
export function unpackLines(packed: readonly PackedEvents[]): string[] {
  const lines: string[] = [];
  for (const events of packed) {
    const reader = new SlotReader(events);
    for (let i = 0; i < events.count; i += 1) lines.push(readLine(reader));
  }
  return lines;
}

function readLine(slots: SlotReader): string {
  const kind = slots.number();
  if (kind === packedKinds.line) return slots.text();
  if (kind !== packedKinds.request) throw new Error("packed events are out of step");
  const createdAtMs = slots.number();
  return canonicalRequest(readRequest(slots), slots.moment(createdAtMs));
}

/** Member by member in the order of `EventPacker.request`. */
function readRequest(slots: SlotReader): RequestEvent {
  const eventType = slots.text() as RequestEvent["eventType"];
  const orgId = slots.text();
  const requestId = slots.text();
  const httpStatus = slots.number();
  const flags = slots.number();
  const route = slots.text();
  const apiKeyId = slots.optionalText();
  const provider = slots.optionalText();
  const model = slots.optionalText();
  const errorCode = slots.optionalText();
  const end = slots.optionalText();
  const inputSha256 = slots.optionalText();
  const verdict = slots.optionalText();
  const score = slots.optionalNumber();
  const place = slots.optionalText();
  const policy = readPolicy(slots, (flags & packedFlags.dryRun) !== 0);
  const costStatus = slots.text() as RequestEvent["costStatus"];
  const costMicroUsd = readMoney(slots);
  const buckets = readUsage(slots);
  const assumedPrice = slots.optionalText();
  const inputTokens = slots.optionalNumber();
  const scanId = slots.optionalText();
  const bodyMs = slots.optionalNumber();
  const queueMs = slots.optionalNumber();
  const scanMs = slots.optionalNumber();
  const holdMs = slots.optionalNumber();
  const firstByteMs = slots.optionalNumber();
  const totalMs = slots.number();
  const facts = {
    route,
    isScan: (flags & packedFlags.isScan) !== 0,
    apiKeyId,
    provider,
    model,
    errorCode,
    stream: (flags & packedFlags.stream) !== 0,
    end,
    clientGone: (flags & packedFlags.clientGone) !== 0,
    injection: verdict === null ? null : { verdict, score, place },
    policy,
    cost: { costMicroUsd, buckets, assumedPrice },
    inputTokens,
    scanId,
    bodyMs,
    queueMs,
    scanMs,
    holdMs,
    firstByteMs,
  };
  return { eventType, orgId, requestId, httpStatus, facts, costStatus, inputSha256, totalMs };
}

function readPolicy(slots: SlotReader, dryRun: boolean): RequestEvent["facts"]["policy"] {
  const id = slots.optionalText();
  if (id === null) return null;
  const version = slots.number();
  const replaced = slots.optionalNumber();
  const action = slots.optionalText();
  const [input, output] = [readCounts(slots), readCounts(slots)];
  const policy = { id, version, action, dryRun, input, output };
  return replaced === null ? policy : { ...policy, replaced };
}

function readCounts(slots: SlotReader): MatchCounts | null {
  const json = slots.optionalText();
  // The packer's own words.
  return json === null ? null : (JSON.parse(json) as MatchCounts);
}

function readMoney(slots: SlotReader): MicroUsd | null {
  const amount = slots.optionalNumber();
  return amount === null ? null : microUsd(BigInt(amount));
}

function readUsage(slots: SlotReader): UsageBuckets | null {
  const uncachedInput = slots.optionalNumber();
  if (uncachedInput === null) return null;
  // An object literal is evaluated from its first member to its last.
  return {
    uncachedInput,
    cacheRead: slots.number(),
    cacheWrite5m: slots.number(),
    cacheWrite1h: slots.number(),
    audioInput: slots.number(),
    imageInput: slots.number(),
    outputText: slots.number(),
    reasoning: slots.number(),
    audioOutput: slots.number(),
    imageOutput: slots.number(),
    toolCalls: slots.number(),
  };
}

class SlotReader {
  readonly #slots: Float64Array;
  readonly #texts: readonly string[];
  #at = 0;
  #writtenMs = Number.NaN;
  #written = "";

  constructor({ slots, texts }: PackedEvents) {
    this.#slots = slots;
    this.#texts = texts;
  }

  number(): number {
    const value = this.#slots[this.#at];
    if (value === undefined) throw new Error("packed events end too early");
    this.#at += 1;
    return value;
  }

  optionalNumber(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  text(): string {
    const text = this.#texts[this.number()];
    if (text === undefined) throw new Error("packed events lack a text");
    return text;
  }

  optionalText(): string | null {
    const place = this.number();
    if (place === 0) return null;
    this.#at -= 1;
    return this.text();
  }

  /** Formatting a time costs a microsecond, and most events have the same time as the event before. */
  moment(wallMs: number): string {
    if (wallMs !== this.#writtenMs) {
      this.#writtenMs = wallMs;
      this.#written = new Date(wallMs).toISOString();
    }
    return this.#written;
  }
}
