import type { UsageLimitType, UsageWindow } from "../../contract/usage-limit.ts";
import type { NoSlot, Slot } from "../slots/shared-slots.ts";
import type { UsageOperation } from "./usage-count.ts";

/** A rolling cap as the windows see it. */
export interface UsageCap {
  /** Names the window; another one where type or length of the window change. */
  readonly id: string;
  readonly type: UsageLimitType;
  readonly window: UsageWindow;
  /** Micro-dollars, tokens or requests. */
  readonly threshold: bigint;
  /**
   * A soft cap admits while what was used and what is in flight are below it, so that the request
   * that crosses it is the last one. A hard cap admits only what fits with its own worst case.
   */
  readonly hard: boolean;
}

/** What one request uses, or may use at most. Not negative. */
export interface UsageAmounts {
  readonly costMicroUsd: bigint;
  /** Input and output. */
  readonly tokens: bigint;
  readonly requests: bigint;
}

/**
 * Usage that is counted as in flight until it is settled or released. What comes after the first of
 * these does nothing.
 */
export interface ReservedUsage {
  readonly worst: UsageAmounts;
  readonly held: readonly ReservedCap[];
  /** Of the timeline. */
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
      /** The request itself counts from its admission on, whatever becomes of it in a crash. */
      readonly counted: UsageOperation | null;
    }
  | UsageRefusal
  /**
   * A cap could not be counted, and nothing may be admitted: "full" as long as the table has no room,
   * "busy" just now.
   */
  | { readonly admitted: false; readonly refusedAt: null; readonly because: NoSlot };

/** Nothing was reserved. */
export interface UsageRefusal {
  readonly admitted: false;
  /** The first cap that refused, by its place in the list. */
  readonly refusedAt: number;
  /** What counts against the cap: used in the window and in flight. */
  readonly usage: bigint;
  /**
   * Whole seconds, at least 1, until enough has left the window; 1 where what is in flight may make
   * room at any time. At most the window and a bucket; the window for what will never fit.
   */
  readonly retryAfterSeconds: number;
}

/**
 * Rolling usage (spec: Rate limits 5, Usage limit). What a call counts is in memory when it returns; it
 * returns what is to be written for it (null: nothing), which outlives a crash once it is durable.
 */
export interface UsageWindows {
  /**
   * Reserves a request's worst case in every cap or in none; no cap ever admits more than it should.
   * Where a request in another thread comes at the same moment and finds no room in a later cap, this
   * one may be refused for what that one gives back at once.
   */
  reserve(caps: readonly UsageCap[], worst: UsageAmounts): UsageDecision;

  /** Counts what a request has used, from now on, and ends its reservation. */
  settle(reservation: ReservedUsage, actual: UsageAmounts): UsageOperation | null;

  /** Ends a reservation; nothing was used. */
  release(reservation: ReservedUsage): UsageOperation | null;

  /** What the window has in it now, without what is in flight. */
  used(cap: Pick<UsageCap, "id" | "window">): bigint;
}
