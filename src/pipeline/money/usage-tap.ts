import { usageReport, type AnsweredUsage } from "../../billing/usage.ts";
import { usageEventBytesMax } from "../../contract/limits.ts";
import type { UsageReport } from "../../contract/usage.ts";
import type { Wire } from "../../contract/wire.ts";
import { noAnswer, readAnswer } from "./usage-reader.ts";

/**
 * Finds the usage in a stream of either wire. It gets only the payloads that may carry a usage object, a few
 * per stream at most: JSON escapes quotes, so text never looks like the key. Counts are cumulative. For each
 * member the last count wins; counts are never added up.
 */
export class UsageTap {
  readonly #wire: Wire;
  #answered: AnsweredUsage = noAnswer;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Takes the bytes after `data:` of one event that `mayHaveUsage`. */
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

  /** What the stream has reported when it ends, in whatever way. */
  finish(): UsageReport {
    return usageReport(this.#wire, true, this.#answered);
  }
}

/** A null member keeps its earlier count. */
function withoutNulls(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null));
}
