import { usageReport, type AnsweredUsage } from "../billing/usage.ts";
import { usageEventBytesMax } from "../contract/limits.ts";
import type { UsageReport } from "../contract/usage.ts";
import type { Wire } from "../contract/wire.ts";
import { noAnswer, readAnswer } from "./usage-reader.ts";

const usageKey = Buffer.from('"usage"');
const shortestUsageBytes = '"usage":{}'.length;
const lowerN = 0x6e;
const colon = 0x3a;
const space = 0x20;

/**
 * Finds the usage in a stream of either wire. It is handed the payloads that may carry a
 * usage object, at most a few a stream: JSON escapes quotes, so text never looks
 * like the key. Counts are cumulative: the last ones win, member by member, and are never added up.
 */
export class UsageTap {
  readonly #wire: Wire;
  #answered: AnsweredUsage = noAnswer;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** The bytes behind `data:` of one event that `mayHaveUsage`. */
  push(payload: Buffer): void {
    if (payload.length > usageEventBytesMax) return;
    const { usage, serviceTier, costText } = readAnswer(this.#wire, payload);
    if (usage === undefined) return;
    this.#answered = {
      usage: { ...this.#answered.usage, ...withoutNulls(usage) },
      serviceTier: serviceTier ?? this.#answered.serviceTier,
      costText: costText ?? this.#answered.costText,
    };
  }

  /** What the stream has reported when it ends, however it ends. */
  finish(): UsageReport {
    return usageReport(this.#wire, true, this.#answered);
  }
}

/**
 * Whether a usage that is not `null` stands in an event's payload, or in some whole lines of a stream:
 * with `include_usage` every chunk has the member, all but one of them `null`.
 */
export function mayHaveUsage(payload: Buffer): boolean {
  return placeOfUsage(payload, 0) >= 0;
}

/** Where the first such usage at or behind `from` begins; -1: there is none. */
export function placeOfUsage(payload: Buffer, from: number): number {
  let at = payload.indexOf(usageKey, from);
  while (at !== -1) {
    let value = at + usageKey.length;
    while (payload[value] === space || payload[value] === colon) value++;
    if (payload[value] !== lowerN) return at;
    // It is the last member, as a rule; another search would cost as much as the first.
    if (payload.length - value < shortestUsageBytes) return -1;
    at = payload.indexOf(usageKey, value);
  }
  return -1;
}

/** A member that an event leaves open keeps the count it had. */
function withoutNulls(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}
