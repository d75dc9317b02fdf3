import { usageWindows, type UsageWindow } from "../../contract/usage-limit.ts";
import type { TimelineMark } from "./window-timeline.ts";

/**
 * A request's counts against usage limits and budgets. The journal writes them together with the
 * request's debit, if it has one, all or nothing (docs/decisions/0033).
 */
export type UsageOperation = UsageLineOperation | CapUseOperation;

/** For the store of one gateway. */
export interface UsageLineOperation {
  readonly kind: "usage";
  /**
   * A `UsageLine`: sending one text to the journal's thread takes a third of the time of sending its
   * parts.
   */
  readonly line: string;
}

/** For a store that several gateways share: what was used, and what this gateway gives back unused. */
export interface CapUseOperation {
  readonly kind: "capUse";
  /** Of the grants that are given back: those of another epoch are gone. */
  readonly epoch: number;
  readonly uses: readonly CapUse[];
}

/** What was used of a usage limit or a budget, in its unit: micro-dollars, tokens or requests. */
export interface CapUse {
  readonly id: string;
  readonly window: UsageWindow;
  readonly amount: bigint;
  /** What leaves this gateway's grant, used or not. It must be gone from this gateway's memory before. */
  readonly released: bigint;
}

/** An amount in one window. */
export interface UsageCount {
  /** The window's name from `SharedSlots.nameOf`. */
  readonly name: string;
  readonly window: UsageWindow;
  /** Its bucket; see `tickOf`. */
  readonly tick: number;
  /**
   * Micro-dollars, tokens or requests. Negative: an amount counted in that bucket was not used after
   * all.
   */
  readonly amount: bigint;
}

/** Writes a line: the time of counting, then count after count. */
export class UsageLine {
  #counts = "";

  add(name: string, window: UsageWindow, tick: number, amount: bigint): void {
    this.#counts += ` ${name} ${usageWindows.indexOf(window)} ${tick} ${amount}`;
  }

  at({ wallMs, timelineMs }: TimelineMark): UsageLineOperation {
    const line = `${Math.floor(wallMs)} ${Math.floor(timelineMs)}${this.#counts}`;
    return { kind: "usage", line };
  }
}

/** When a line was counted. */
export function markOf(line: string): TimelineMark {
  const [wallMs, timelineMs] = line.split(" ", 2);
  return { wallMs: Number(wallMs), timelineMs: Number(timelineMs) };
}

/** The counts in a line. */
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
