import { usageWindows, type UsageWindow } from "../../contract/usage-limit.ts";
import type { TimelineMark } from "./window-timeline.ts";

/**
 * What a request counts against usage limits and budgets, as the journal writes it: with its debit, all
 * or nothing, where it has one (docs/decisions/0033).
 */
export interface UsageOperation {
  readonly kind: "usage";
  /** A `UsageLine`: one text crosses to the journal's thread in a third of the time of its parts. */
  readonly line: string;
}

/** An amount in one window. */
export interface UsageCount {
  /** `SharedSlots.nameOf` the window. */
  readonly name: string;
  readonly window: UsageWindow;
  /** Its bucket; see `tickOf`. */
  readonly tick: number;
  /** Micro-dollars, tokens or requests. Negative: what was counted in that bucket was not used after all. */
  readonly amount: bigint;
}

/** Writes a line: when it was counted, then count after count. */
export class UsageLine {
  #counts = "";

  add(name: string, window: UsageWindow, tick: number, amount: bigint): void {
    this.#counts += ` ${name} ${usageWindows.indexOf(window)} ${tick} ${amount}`;
  }

  at({ wallMs, timelineMs }: TimelineMark): UsageOperation {
    const line = `${Math.floor(wallMs)} ${Math.floor(timelineMs)}${this.#counts}`;
    return { kind: "usage", line };
  }
}

/** When a line was counted. */
export function markOf(line: string): TimelineMark {
  const [wallMs, timelineMs] = line.split(" ", 2);
  return { wallMs: Number(wallMs), timelineMs: Number(timelineMs) };
}

/** What a line counts. */
export function* countsOf(line: string): Iterable<UsageCount> {
  const fields = line.split(" ");
  for (let at = 2; at < fields.length; at += 4) {
    const [name, window, tick, amount] = fields.slice(at, at + 4);
    yield {
      name: name ?? "",
      window: usageWindows[Number(window)] ?? "hour",
      tick: Number(tick),
      amount: BigInt(amount ?? ""),
    };
  }
}
