import { usageReport, type AnsweredUsage } from "../../billing/usage.ts";
import { usageEventBytesMax } from "../../contract/limits.ts";
import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import type { StreamObserver } from "../../exchange/exchange.ts";
import { createdIds } from "../state/created-ids.ts";
import { noAnswer, readAnswer } from "./usage-reader.ts";

/**
 * Finds the usage in a stream of either wire. It gets only the payloads that may carry a usage object, a few
 * per stream at most: JSON escapes quotes, so text never looks like the key. Counts are cumulative. For each
 * member the last count wins; counts are never added up.
 */
export class UsageTap {
  readonly #wire: Wire;
  #answered: AnsweredUsage = noAnswer;

  readonly #seesIds: boolean;
  #created: readonly string[] = [];

  /** `seesIds`: the answer may create something that the provider stores. */
  constructor(wire: Wire, seesIds = false) {
    this.#wire = wire;
    this.#seesIds = seesIds;
  }

  /** The ids of what the provider stores, as the events have named them. */
  get created(): readonly string[] {
    return this.#created;
  }

  /** Takes the bytes after `data:` of one event that `mayHaveUsage`. */
  push(payload: Buffer): void {
    if (payload.length > usageEventBytesMax) return;
    if (this.#seesIds) this.#created = [...new Set([...this.#created, ...createdIds(payload)])];
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

/**
 * True for a chunk with a usage object and without choices. `include_usage` adds such a chunk to a stream.
 */
function bringsUsageOnly(payload: Buffer): boolean {
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
