import type { UsageLimitType, UsageWindow } from "../../contract/usage-limit.ts";
import type { NoSlot, Slot } from "../slots/shared-slots.ts";
import type { UsageOperation } from "./usage-count.ts";

/** A rolling cap, with the values that the windows need. */
export interface UsageCap {
  /** Names the window; use another name if type or length of the window change. */
  readonly id: string;
  readonly type: UsageLimitType;
  readonly window: UsageWindow;
  /** Micro-dollars, tokens or requests. */
  readonly threshold: bigint;
  /**
   * A soft cap admits requests while the used amount and the amount in flight are below it, so the
   * request that crosses it is the last one. A hard cap admits a request only if its worst case fits.
   */
  readonly hard: boolean;
}

/** The amounts that one request uses, or may use at most. Not negative. */
export interface UsageAmounts {
  readonly costMicroUsd: bigint;
  /** Input and output. */
  readonly tokens: bigint;
  readonly requests: bigint;
}

/**
 * Usage that counts as in flight until it is settled or released. Later calls do nothing.
 */
export interface ReservedUsage {
  readonly worst: UsageAmounts;
  readonly held: readonly ReservedCap[];
  /** The time of the reservation on the timeline. */
  readonly atMs: number;
  ended: boolean;
}

/** A cap with its window. */
export interface ReservedCap {
  readonly slot: Slot;
  readonly cap: UsageCap;
}

export type UsageDecision =
  | {
      readonly admitted: true;
      readonly reservation: ReservedUsage;
      /**
       * The operation that counts the request. A request counts from its admission on, also after a
       * crash.
       */
      readonly counted: UsageOperation | null;
    }
  | UsageRefusal
  /**
   * A cap could not be counted, so the request may not be admitted. "full": the table has no room;
   * "busy": another try may succeed.
   */
  | { readonly admitted: false; readonly refusedAt: null; readonly because: NoSlot };

/** Nothing was reserved. */
export interface UsageRefusal {
  readonly admitted: false;
  /** The first cap that refused, by its place in the list. */
  readonly refusedAt: number;
  /** The amount that counts against the cap: used in the window, and in flight. */
  readonly usage: bigint;
  /**
   * Whole seconds, at least 1, until enough has left the window; 1 if requests in flight may make room
   * at any time. At most the window and a bucket; the window if the amount will never fit.
   */
  readonly retryAfterSeconds: number;
  /**
   * Set if several gateways share the cap, and this one may use too little of it without asking the store: how much is
   * missing, at least 1.
   */
  readonly short?: bigint;
}

/**
 * Rolling usage (spec: Rate limits 5, Usage limit). A call's count is in memory when the call returns.
 * The call returns the operation to write (null: none); the count survives a crash once that is
 * durable.
 */
export interface UsageWindows {
  /**
   * Reserves a request's worst case in every cap or in none; no cap ever admits more than it should. If
   * a request in another thread reserves at the same moment, finds no room in a later cap and gives its
   * amount back at once, this request may be refused because of that amount.
   */
  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision;

  /** Counts the usage of a request from now on, and ends its reservation. */
  settle(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null;

  /** Ends a reservation; nothing was used. */
  release(reservation: ReservedUsage): UsageOperation | null;

  /** The amount in the window now, without amounts in flight. */
  used(cap: Pick<UsageCap, "id" | "window">): bigint;
}
