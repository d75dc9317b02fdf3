import type { UsageWindow } from "../../contract/usage-limit.ts";
import { bucketMs } from "../windows/usage-ring.ts";
import { callFunction, type Queryable } from "./call-function.ts";

/** A usage limit or a budget after a flush or a grant. */
export interface CapAfter {
  /** In the window, by all gateways. */
  readonly used: bigint;
  /** What all gateways may use without asking. */
  readonly granted: bigint;
  readonly own: bigint;
}

export type RateGrantReply =
  | {
      readonly outcome: "granted" | "scarce";
      readonly units: number;
      /** What no gateway has, after that. */
      readonly free: number;
      readonly own: number;
    }
  | { readonly outcome: "fenced" | "old_connection" };

export type CapGrantReply =
  | ({
      readonly outcome: "granted" | "scarce";
      readonly amount: bigint;
      /** If it is scarce: when enough has left the window at the earliest; 0 if gateways may return enough before. */
      readonly waitMs: number;
    } & CapAfter)
  | { readonly outcome: "fenced" | "old_connection" };

/** What a grant of a usage limit or a budget depends on. */
export interface CapTerms {
  readonly id: string;
  readonly window: UsageWindow;
  readonly threshold: bigint;
  /** As of `UsageCap`. */
  readonly hard: boolean;
  /** The part of this gateway's grant that no request uses: the one that asks will use it. */
  readonly idle: bigint;
}

/** The functions of `2_limits.sql`, as `SharedFunctions`: rate limits, usage limits and budgets. */
export class LimitFunctions {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** `need` is 1 at least. `wish`: what the requests that wait could use in all. */
  async grantRate(
    gateway: number,
    connection: number,
    id: string,
    need: number,
    wish: number,
    limit: number,
  ): Promise<RateGrantReply> {
    return (await callFunction(this.#database, "grant_rate", [
      ...[gateway, connection, id, need, wish, limit],
    ])) as RateGrantReply;
  }

  /** As `grantRate`. */
  async grantCap(
    gateway: number,
    connection: number,
    { id, window, threshold, hard, idle }: CapTerms,
    need: bigint,
    wish: bigint,
  ): Promise<CapGrantReply> {
    const reply = (await callFunction(this.#database, "grant_cap", [
      ...[gateway, connection, id, bucketMs(window), String(need), String(wish)],
      ...[String(threshold), hard, String(idle)],
    ])) as StoredCapGrantReply;
    if (!("amount" in reply)) return reply;
    const { outcome, amount, used, granted, own, wait_ms: waitMs } = reply;
    return { outcome, amount: BigInt(amount), waitMs, ...capAfter(used, granted, own) };
  }

  /** What was used in the windows of caps, by all gateways, as far as it was flushed; unused ones are left out. */
  async usedOfCaps(
    caps: readonly Pick<CapTerms, "id" | "window">[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const asked = JSON.stringify(caps.map(({ id, window }) => [id, bucketMs(window)]));
    const reply = (await callFunction(this.#database, "used_of_caps", [asked])) as Readonly<
      Record<string, string>
    >;
    return new Map(Object.entries(reply).map(([id, used]) => [id, BigInt(used)]));
  }

  /** Forgets what was used of caps, and what is granted of them. */
  async forgetCaps(ids: readonly string[]): Promise<void> {
    await callFunction(this.#database, "forget_caps", [ids]);
  }

  /** Removes limits that count nothing any more, at most `max` of each kind. Returns how many. */
  async sweepLimits(max: number): Promise<number> {
    return Number(await callFunction(this.#database, "sweep_limits", [max]));
  }
}

/** Amounts as the store writes them. */
export function capAfter(...[used, granted, own]: CapAmounts): CapAfter {
  return { used: BigInt(used), granted: BigInt(granted), own: BigInt(own) };
}

/** Amounts as the store writes them. */
export type CapAmounts = readonly [used: string, granted: string, own: string];

type StoredCapGrantReply =
  | {
      readonly outcome: "granted" | "scarce";
      readonly amount: string;
      readonly used: string;
      readonly granted: string;
      readonly own: string;
      readonly wait_ms: number;
    }
  | { readonly outcome: "fenced" | "old_connection" };
