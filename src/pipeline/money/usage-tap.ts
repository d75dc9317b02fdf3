import { usageReport, type AnsweredUsage } from "../../billing/usage.ts";
import { providerStateIdsMax, usageEventBytesMax } from "../../contract/limits.ts";
import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import type { StreamObserver } from "../../exchange/exchange.ts";
import { JsonExcerpt, type ExcerptMembers } from "../../json/excerpt.ts";
import { mayHaveUsage } from "../../sse/usage-place.ts";
import { createdIds, createdMembers } from "../state/created-ids.ts";
import { noAnswer, readAnswer, usageMembers } from "./usage-reader.ts";

/**
 * Finds the usage in a stream of any wire, and the ids of what the provider stores. As a rule it gets only the
 * payloads that may carry a usage object, a few per stream at most: JSON escapes quotes, so text never looks
 * like the key. Counts are cumulative. For each member the last count wins; counts are never added up.
 */
export class UsageTap {
  readonly #wire: Wire;
  #answered: AnsweredUsage = noAnswer;

  readonly #seesIds: boolean;
  readonly #created = new Set<string>();

  /** `seesIds`: the answer may create something that the provider stores. */
  constructor(wire: Wire, seesIds = false) {
    this.#wire = wire;
    this.#seesIds = seesIds;
  }

  /** The ids of what the provider stores, as the events have named them. */
  get created(): readonly string[] {
    return [...this.#created];
  }

  /** A chat's audio is named in the first event that brings some of it, long before the usage comes. */
  get seesAll(): boolean {
    return this.#seesIds && this.#wire === "chat";
  }

  /** Takes the bytes after `data:` of one event. */
  push(payload: Buffer): void {
    if (this.#seesIds && this.#created.size < providerStateIdsMax) {
      for (const id of createdIds(payload)) this.#created.add(id);
    }
    const { usage, serviceTier, costText, toolCalls } = readAnswer(this.#wire, payload);
    if (usage === undefined) return;
    this.#answered = {
      usage: { ...this.#answered.usage, ...withoutNulls(usage) },
      serviceTier: serviceTier ?? this.#answered.serviceTier,
      costText: costText ?? this.#answered.costText,
      toolCalls: toolCalls ?? this.#answered.toolCalls ?? 0,
    };
  }

  /** What the stream has reported when it ends, in whatever way. */
  finish(): UsageReport {
    return usageReport(this.#wire, true, this.#answered);
  }
}

/**
 * Shows a stream's usage to the tap. `hide` means that the client did not ask for the usage, so a chunk that
 * brings only the usage is not sent to it (design section 5).
 */
export function usageObserver(tap: UsageTap, hide: boolean): StreamObserver {
  return {
    mayDrop: hide,
    seesAll: tap.seesAll,
    beginLong: () => new JsonExcerpt(answerMembers, usageEventBytesMax),
    event(payload) {
      tap.push(payload);
      return !hide || !bringsUsageOnly(payload);
    },
  };
}

/** A null member keeps its earlier count. */
function withoutNulls(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}

/** What is read of an event that is too long to be held: the usage, and the ids of what is stored. */
const answerMembers: ExcerptMembers = {
  kept: new Set([...usageMembers, ...createdMembers]),
  whole: new Set(["usage"]),
};

/**
 * True for a chunk with a usage object and without choices. `include_usage` adds such a chunk to a stream.
 */
function bringsUsageOnly(payload: Buffer): boolean {
  if (!mayHaveUsage(payload)) return false;
  let chunk: unknown;
  try {
    chunk = JSON.parse(payload.toString("utf8"));
  } catch {
    return false;
  }
  if (typeof chunk !== "object" || chunk === null) return false;
  if (!("usage" in chunk) || chunk.usage === null) return false;
  return "choices" in chunk && Array.isArray(chunk.choices) && chunk.choices.length === 0;
}
